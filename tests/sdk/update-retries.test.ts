import { describe, expect, it } from 'vitest';
import { NotFoundError, TimeoutError, type ConditionalOptions } from '../../sdk/src/index.ts';
import { disconnect, hang, json, problem, startFakeServer, type Responder } from './fake-server.ts';
import { task } from './samples.ts';

const answer = json(200, { task });
const soon = { 'Retry-After': '0' };
const ifMatch = '"3"';

/** Failures after which the update may have taken effect, so that a retry could undo a later change. */
const unknownOutcomes: readonly [string, Responder][] = [
  ['ConnectionError', disconnect],
  ['ApiError', problem(502, 'Server Error', soon)],
  ['ApiError', problem(504, 'Server Error', soon)],
  ['OverloadedError', (response) => response.writeHead(503, soon).end('<h1>Bad upstream</h1>')],
];

describe.each<[string, ConditionalOptions]>([
  ['without ifMatch', {}],
  ['under ifMatch', { ifMatch }],
  ['under an If-Match header', { headers: { 'if-match': ifMatch } }],
])('update %s', (_what, options) => {
  it.each(unknownOutcomes)(
    'an update that may have taken effect is not retried: %s',
    async (name, responder) => {
      const server = await startFakeServer(responder, answer);

      const update = server.client().tasks.update('1', { status: 'done' }, options);

      await expect(update).rejects.toMatchObject({ name });
      expect(server.requests).toHaveLength(1);
    },
  );

  it('an update that times out is not retried', async () => {
    const server = await startFakeServer(hang, answer);

    const update = server.client().tasks.update('1', { status: 'done' }, { ...options, timeoutMs: 100 });

    await expect(update).rejects.toThrow(TimeoutError);
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    ['408', problem(408, 'Request timeout', soon)],
    ['429', problem(429, 'Rate Limited', soon)],
    ['503', problem(503, 'Overloaded', soon)],
  ])('an update is retried if the server reports that it did nothing: %s', async (_status, refusal) => {
    const server = await startFakeServer(refusal, answer);

    await server.client().tasks.update('1', { status: 'done' }, options);

    expect(server.requests).toHaveLength(2);
  });
});

describe('update with a lost response', () => {
  it('an update never undoes a later change of another client', async () => {
    let status: unknown = 'todo';
    const apply: Responder = (response, request) => {
      ({ status } = JSON.parse(request.body) as { status: unknown });
      answer(response, request);
    };
    const applyAndDisconnect: Responder = (response, request) => {
      disconnect(response, request);
      // The update took effect, and then another client changed the status.
      status = 'blocked';
    };
    const server = await startFakeServer(applyAndDisconnect, apply);

    const [update] = await Promise.allSettled([server.client().tasks.update('1', { status: 'done' })]);

    expect(status).toBe('blocked');
    expect(update).toMatchObject({ reason: { name: 'ConnectionError' } });
  });
});

describe.each<[string, ConditionalOptions]>([
  ['without ifMatch', {}],
  ['under ifMatch', { ifMatch }],
])('delete %s', (_what, options) => {
  it('a delete with a lost response is retried, and then throws the NotFoundError that it caused', async () => {
    const server = await startFakeServer(disconnect, problem(404, 'Task not found'));

    await expect(server.client().tasks.delete('1', options)).rejects.toThrow(NotFoundError);

    expect(server.requests).toHaveLength(2);
  });
});
