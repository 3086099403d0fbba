import { describe, expect, it } from 'vitest';
import { type ClientOptions, type RequestOptions } from '../../sdk/src/index.ts';
import {
  collect,
  disconnect,
  problem,
  sseEvent,
  sseStream,
  startFakeServer,
  type Responder,
} from './fake-server.ts';
import { accepted, completed, ended, heartbeat, messageEvent, namesOf, run, started } from './samples.ts';

const input = { input: 'x' };
const delta = sseEvent('message.delta', { run_id: run.id, message_id: 'm-1', offset: 0, text: 'Do' });
const waiting = sseEvent('run.waiting', { run_id: run.id, reason: 'model_busy', retry_after_s: 2 });
const serverError = problem(500, 'Server Error');

type Options = Partial<ClientOptions> & RequestOptions;

describe('the stream of an agent', () => {
  it.each<[promise: string, responders: Responder[], events: string[], options?: Options]>([
    [
      'ends with run.completed, in order and without heartbeats',
      [sseStream([started, delta, heartbeat, messageEvent(1), completed], 'hang')],
      ['run.started', 'message.delta', 'message m-1', 'run.completed'],
    ],
    ['ends with run.failed', [sseStream([started, ended('failed')])], ['run.started', 'run.failed']],
    [
      'ends with run.requires_action',
      [sseStream([started, ended('requires_action')])],
      ['run.started', 'run.requires_action'],
    ],
    [
      'goes on after run.waiting, and ends with run.incomplete',
      [sseStream([started, waiting, ended('incomplete')])],
      ['run.started', 'run.waiting', 'run.incomplete'],
    ],
    [
      'reports the start once, although the stream begins again',
      [sseStream([started], 'disconnect'), sseStream([started, messageEvent(1), completed])],
      ['run.started', 'message m-1', 'run.completed'],
    ],
    [
      'continues after an outage that is longer than all retries of a call',
      [sseStream([started], 'disconnect'), disconnect, disconnect, sseStream([started, completed])],
      ['run.started', 'run.completed'],
      { retriesMax: 0 },
    ],
    [
      'is opened again if it ends before its first event',
      [sseStream([heartbeat], 'end'), sseStream([started, completed])],
      ['run.started', 'run.completed'],
    ],
  ])('%s', async (_promise, responders, events, options) => {
    const server = await startFakeServer(accepted, ...responders);

    const seen = await collect(server.client(options).agents.stream('a-1', input));

    expect(namesOf(seen)).toEqual(events);
    expect(server.requests.map(({ method }) => method)).toEqual(['POST', ...responders.map(() => 'GET')]);
  });

  it.each(['end', 'disconnect'] as const)('continues after the last message (%s)', async (then) => {
    const server = await startFakeServer(
      accepted,
      sseStream([started, messageEvent(1, 'Do'), delta], then),
      sseStream([delta, messageEvent(2, 'ne.'), completed]),
    );

    const events = await collect(server.client().agents.stream('a-1', input));

    expect(namesOf(events)).toEqual([
      ...['run.started', 'message m-1', 'message.delta'],
      ...['message.delta', 'message m-2', 'run.completed'],
    ]);
    expect(server.requests.map(({ headers }) => headers['last-event-id'])).toEqual([
      undefined,
      undefined,
      '1',
    ]);
  });

  it('starts the run without waiting, again under its key after a lost response, and reads its events', async () => {
    const server = await startFakeServer(disconnect, accepted, sseStream([started, completed]));

    const events = await collect(server.client().agents.stream('a-1', input));

    expect(namesOf(events)).toEqual(['run.started', 'run.completed']);
    const [first, second, stream] = server.requests;
    expect(first).toMatchObject({ url: '/v1/agents/a-1/run', headers: { prefer: 'respond-async' } });
    expect(first?.headers['idempotency-key']).toMatch(/^[0-9a-f]{32}$/);
    expect(second?.headers).toEqual(first?.headers);
    expect(stream).toMatchObject({
      url: `/v1/runs/${run.id}?until=requires_action`,
      headers: { accept: 'text/event-stream, application/problem+json' },
    });
  });

  const interrupted = {
    name: 'StreamInterruptedError',
    runId: run.id,
    sessionId: 's-1',
    idempotencyKey: 'mine',
  };
  const early = sseStream([started], 'disconnect');

  it.each<[promise: string, responders: Responder[], error: object, options?: Options]>([
    ['of the server, if the start is refused', [problem(503, 'Overloaded')], { name: 'OverloadedError' }],
    [
      'of the connection, with the key, if the start is lost',
      [disconnect],
      { name: 'ConnectionError', idempotencyKey: 'mine' },
    ],
    [
      'of an outage after its deadline',
      [accepted, early, disconnect],
      { ...interrupted, cause: { name: 'ConnectionError' } },
      { deadlineMs: 3000 },
    ],
    [
      'of a refusal before its first event',
      [accepted, serverError],
      { ...interrupted, cause: { name: 'ServerError' } },
    ],
    [
      'of a run that is gone',
      [accepted, sseStream([started]), problem(404, 'Run not found')],
      { ...interrupted, cause: { name: 'NotFoundError' } },
    ],
    [
      'of an event that is not an object',
      [accepted, sseStream([started, 'event: message\ndata: null\n\n'])],
      { ...interrupted, cause: { name: 'InvalidResponseError' } },
    ],
  ])('throws the error %s', async (_promise, responders, error, { deadlineMs, ...options } = {}) => {
    const server = await startFakeServer(...responders);
    const { agents } = server.client({ retriesMax: 0, ...options });

    const events = collect(agents.stream('a-1', input, { idempotencyKey: 'mine', deadlineMs }));

    await expect(events).rejects.toMatchObject(error);
  });

  it('throws at a second iteration, because that would start another run', async () => {
    const server = await startFakeServer(accepted, sseStream([started, completed]));
    const events = server.client().agents.stream('a-1', input);
    await collect(events);

    await expect(collect(events)).rejects.toThrow(/iterated once/);
    expect(server.requests).toHaveLength(2);
  });
});
