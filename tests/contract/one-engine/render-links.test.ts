import { describe, expect } from 'vitest';
import { run } from '../../support/postgres.ts';
import { whileQueueIsFull } from '../../support/render-faults.ts';
import { createDatabase, engine, sharedServer, startTestServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';

const server = sharedServer();
const alice = await server.as('alice');
const anybody = await server.as();

const chart = { title: 'Tasks', data: [{ label: 'todo', value: 7 }] };

/** The last segment of the address of a chart. */
async function linkTo(fields: object = {}): Promise<string> {
  const { url } = (await alice.ok('linkChart', { body: { chart, ...fields } })).body;
  return url.split('/').at(-1) ?? '';
}

describe.each([
  ['svg', 'image/svg+xml', /^<svg /],
  ['png', 'image/png', /^\x89PNG/],
  ['pdf', 'application/pdf', /^%PDF-/],
])('an address in the format %s', (format, mediaType, start) => {
  spec('getLinkedChart', 200, 'shows the chart to anybody, on any page, until it expires', async () => {
    const { headers, body } = await anybody.send('getLinkedChart', {
      id: await linkTo({ format, expires_in: 600 }),
    });

    expect(body).toMatch(start);
    const { 'cache-control': cacheControl, ...others } = Object.fromEntries(headers);
    expect(others).toMatchObject({
      'content-type': mediaType,
      'content-disposition': `inline; filename="chart.${format}"`,
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    });
    expect(Number(cacheControl?.replace('public, max-age=', ''))).toBeOneOf([598, 599, 600]);
  });

  spec('getLinkedChart', 304, 'is not drawn again for clients that have the picture', async () => {
    const id = await linkTo({ format });
    const ETag = (await anybody.send('getLinkedChart', { id })).headers.get('ETag') ?? '';

    const again = await anybody.send('getLinkedChart', { id, headers: { 'If-None-Match': ETag } });
    const other = await anybody.send('getLinkedChart', { id, headers: { 'If-None-Match': '"x"' } });

    expect([again.status, again.headers.get('ETag'), other.status]).toEqual([304, ETag, 200]);
    expect(again.headers.get('Cross-Origin-Resource-Policy')).toBe('cross-origin');
  });
});

describe('an address', () => {
  spec('getLinkedChart', 404, 'is unknown if any part of it has changed', async () => {
    const id = await linkTo();
    const [packed = '', signature = ''] = id.split('.');

    for (const other of [
      `A${id}`,
      `${packed}.${signature}.svg`,
      `${packed}.${'A'.repeat(22)}.png`,
      `${packed}.${signature}`,
      'x',
    ])
      await anybody.fails('getLinkedChart', 404, { id: other });
    expect((await anybody.send('getLinkedChart', { id })).status).toBe(200);
  });

  spec('getLinkedChart', 410, 'has expired after `expires_in` seconds', async () => {
    const id = await linkTo({ expires_in: 1, format: 'svg' });

    await expect.poll(async () => (await anybody.send('getLinkedChart', { id })).status).toBe(410);

    const { body } = await anybody.fails('getLinkedChart', 410, { id });
    expect(body.code).toBe('Link expired');
  });

  spec('linkChart', 200, 'has at most 6 kB, and begins with the address of the server', async () => {
    const data = Array.from({ length: 300 }, (_, i) => ({ label: `Day ${i}`, value: (i * 7919) % 1000 }));

    const { body } = await alice.ok('linkChart', { body: { chart: { data }, expires_in: 3600 } });

    expect(body.url.startsWith(`${server.url}/api/v1/viz/links/`)).toBe(true);
    expect(body.url.length).toBeLessThan(6144);
    const lifeMs = Date.parse(body.expires_at) - Date.now();
    expect(Math.abs(lifeMs - 3_600_000)).toBeLessThan(60_000);
  });

  spec('linkChart', 400, 'is refused for a chart that does not fit, or cannot be drawn', async () => {
    const data = Array.from({ length: 3000 }, (_, i) => ({ label: `${(i * 7919) % 10_007}`, value: i / 7 }));
    const refusals = [
      [{ data }, { pointer: '/chart', code: 'too_large' }],
      [
        { data: [], colors: ['nocolor'] },
        { pointer: '/chart/colors/0', code: 'malformed' },
      ],
      [{ data: [{ label: 'a' }] }, { pointer: '/chart/data/0/value', code: 'required' }],
      [{ data: [], width: 2000, scale: 3 }, { pointer: '/chart/scale' }],
    ] as const;

    for (const [refused, error] of refusals) {
      const { body } = await alice.fails('linkChart', 400, { body: { chart: refused } });
      expect(body.errors).toMatchObject([error]);
    }
  });

  spec('getLinkedChart', 503, 'shares the queue with all other addresses, not with users', async () => {
    // The address is also valid on `full`: databases of test servers are copies of one, with the same key.
    const id = await linkTo();

    await whileQueueIsFull(
      async (full) => (await full.as()).send('getLinkedChart', { id }),
      async (full) => {
        const { headers } = await (await full.as()).fails('getLinkedChart', 503, { id });
        expect(headers.get('Retry-After')).toBe('1');
        await (await full.as('alice')).ok('renderPng', { body: chart });
      },
    );
  });
});

describe('the servers of a service', () => {
  spec('getLinkedChart', 200, 'accept the addresses of each other, and log none of them', async () => {
    const publicUrl = 'https://tasks.example.com';
    const one = await startTestServer({ env: { PUBLIC_URL: publicUrl } });
    const { url } = (await (await one.as('alice')).ok('linkChart', { body: { chart } })).body;
    await one.close();

    const log: string[] = [];
    const other = await startTestServer({ sharing: one, log });

    expect(url.startsWith(`${publicUrl}/api/v1/viz/links/`)).toBe(true);
    const id = url.split('/').at(-1) ?? '';
    expect((await (await other.as()).send('getLinkedChart', { id })).status).toBe(200);
    await expect.poll(() => log.join('')).toContain('"operation":"getLinkedChart"');
    expect(log.join('')).not.toContain(id.split('.')[1]);
  });

  if (engine === 'postgres')
    spec('getLinkedChart', 404, 'do not accept the addresses of another service', async () => {
      const database = await createDatabase();
      await run(database.env['DATABASE_URL'] ?? '', `update chart_link_key set secret = 'other'`);
      const other = await startTestServer({ sharing: database });

      await (await other.as()).fails('getLinkedChart', 404, { id: await linkTo() });
    });
});
