import { describe, expect, onTestFinished, vi } from 'vitest';
import { formats } from '../../support/charts.ts';
import { startFaultyServer, whileQueueIsFull } from '../../support/render-faults.ts';
import { startTestServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';

const data = [{ label: 'a', value: 1 }];

const colors = Array.from({ length: 200 }, (_, i) => `rgb(${i} 99 99)`);
const colorful = { data: colors.map((_, i) => ({ label: String(i), value: i })), colors };

/** Faults of render processes, each with a chart that triggers it, its error, and a chart that does not trigger it. */
const faults = [
  // Cairo encodes only pictures with more colours than a palette has.
  ['cairo cannot encode a PNG', 'no-png', 'renderPng', colorful, 'PNG_ENCODE_ERROR', data],
  ['cairo cannot write a PDF', 'no-pdf', 'renderPdf', { data, title: 'Я' }, 'PDF_SAVE_ERROR', data],
  ['cairo cannot draw', 'no-drawing', 'renderPng', { data }, 'RENDER_ERROR', []],
] as const;

describe.each(faults)('when %s', (_what, fault, operation, body, code, others) => {
  spec(operation, 500, `answers ${code} without the message of the library, and serves others`, async () => {
    const alice = await startFaultyServer(fault);

    const { body: problem } = await alice.fails(operation, 500, { body });

    expect(problem).toMatchObject({ code, error: code });
    expect(JSON.stringify(problem)).not.toContain('out of memory');
    await alice.ok('renderSvg', { body: { data } });
    await alice.ok('renderPng', { body: { data: others } });
  });
});

spec('renderPng', 500, 'RENDER_ERROR answers only the picture that crashed a render process', async () => {
  const alice = await startFaultyServer('crash');
  const picture = { body: { data } };

  const [crashed, ...others] = await Promise.all([
    alice.fails('renderPng', 500, { body: { data, title: 'crash' } }),
    ...Array.from({ length: 8 }, () => alice.ok('renderPng', picture)),
  ]);

  expect(crashed.body.code).toBe('RENDER_ERROR');
  expect(others).toHaveLength(8);
  await alice.ok('renderPdf', picture);
});

spec('renderSvg', 500, 'RENDER_ERROR answers a chart in whose layout the platform fails', async () => {
  const server = await startTestServer();
  const alice = await server.as('alice');
  const failing = vi.spyOn(Intl.Segmenter.prototype, 'segment').mockImplementation(() => {
    throw new Error('out of memory');
  });
  onTestFinished(() => {
    failing.mockRestore();
  });

  const { body } = await alice.fails('renderSvg', 500, { body: { data, title: 'x'.repeat(500) } });
  expect(body.code).toBe('RENDER_ERROR');
});

describe.each(formats.slice(1))('$operation', ({ operation }) => {
  spec(operation, 503, 'is rejected while the queue is full, and other operations are served', async () => {
    await whileQueueIsFull(
      async (server) => (await server.as('alice')).ok(operation, { body: { data } }),
      async (server) => {
        const alice = await server.as('alice');
        const refusing = alice.fails(operation, 503, { body: { data } });
        const [{ headers }] = await Promise.all([refusing, alice.ok('listTasks')]);
        expect(headers.get('Retry-After')).toBe('1');
      },
    );
  });
});
