import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../sdk/src/index.ts';
import { collect, disconnect, json, problem, sseEvent, sseStream, startFakeServer } from './fake-server.ts';
import { completedRun, message, queuedRun, run } from './samples.ts';

const accepted = json(202, queuedRun);
const started = sseEvent('run.started', run);
const completed = sseEvent('run.completed', completedRun);
const heartbeat = ': still here\n\n';

function names(events: readonly RunEvent[]): string[] {
  return events.map(({ event, data }) => ('content' in data ? `${event} ${data.id}` : event));
}

describe('a stream that breaks after its first event', () => {
  it.each(['end', 'disconnect'] as const)(
    'the stream continues after the last message that was received (%s)',
    async (then) => {
      const server = await startFakeServer(
        accepted,
        sseStream([started, sseEvent('message', message('m-1', 'Do'), '1')], then),
        sseStream([sseEvent('message', message('m-2', 'ne.'), '2'), completed]),
      );

      const events = await collect(server.client().agents.stream('a-1', { input: 'x' }));

      expect(names(events)).toEqual(['run.started', 'message m-1', 'message m-2', 'run.completed']);
      expect(server.requests.slice(2).map(({ url, headers }) => [url, headers['last-event-id']])).toEqual([
        [`/v1/runs/${run.id}?until=requires_action`, '1'],
      ]);
    },
  );

  it('the start of the run is reported once, although the stream begins again', async () => {
    const server = await startFakeServer(
      accepted,
      sseStream([started], 'disconnect'),
      sseStream([started, sseEvent('message', message('m-1', 'Done.'), '1'), completed]),
    );

    const events = await collect(server.client().agents.stream('a-1', { input: 'x' }));

    expect(names(events)).toEqual(['run.started', 'message m-1', 'run.completed']);
  });

  it('the stream continues after an outage that is longer than all retries of a call', async () => {
    const outage = Array.from({ length: 3 }, () => disconnect);
    const server = await startFakeServer(
      accepted,
      sseStream([started], 'disconnect'),
      ...outage,
      sseStream([started, completed]),
    );

    const events = await collect(server.client({ retriesMax: 0 }).agents.stream('a-1', { input: 'x' }));

    expect(names(events)).toEqual(['run.started', 'run.completed']);
  });

  it('an outage that outlasts the deadline ends the stream', async () => {
    const server = await startFakeServer(accepted, sseStream([started], 'disconnect'), disconnect);
    const options = { deadlineMs: 4_000, retriesMax: 0 };

    const events = collect(server.client().agents.stream('a-1', { input: 'x' }, options));

    await expect(events).rejects.toMatchObject({
      name: 'StreamInterruptedError',
      runId: run.id,
      cause: { name: 'ConnectionError' },
    });
  });

  it('a stream without data for timeoutMs counts as broken', async () => {
    const server = await startFakeServer(
      accepted,
      sseStream([started], 'hang'),
      sseStream([started, completed]),
    );

    const events = await collect(server.client().agents.stream('a-1', { input: 'x' }, { timeoutMs: 200 }));

    expect(names(events)).toEqual(['run.started', 'run.completed']);
  });

  it('the error names the run and its session if the run is gone', async () => {
    const server = await startFakeServer(accepted, sseStream([started]), problem(404, 'Run not found'));

    await expect(collect(server.client().agents.stream('a-1', { input: 'x' }))).rejects.toMatchObject({
      name: 'StreamInterruptedError',
      runId: run.id,
      sessionId: 's-1',
      idempotencyKey: expect.stringMatching(/^[0-9a-f]{32}$/),
      cause: { name: 'NotFoundError' },
    });
  });

  it('the error has the failure to open the stream again as its cause', async () => {
    const server = await startFakeServer(
      accepted,
      sseStream([started], 'disconnect'),
      problem(500, 'Server Error'),
    );

    await expect(collect(server.client().agents.stream('a-1', { input: 'x' }))).rejects.toMatchObject({
      name: 'StreamInterruptedError',
      runId: run.id,
      cause: { name: 'ServerError' },
    });
  });
});

describe('a stream that breaks before its first event', () => {
  it.each(['end', 'disconnect'] as const)('the stream is opened again (%s)', async (then) => {
    const server = await startFakeServer(
      accepted,
      sseStream([heartbeat], then),
      sseStream([started, completed]),
    );

    const events = await collect(server.client().agents.stream('a-1', { input: 'x' }));

    expect(names(events)).toEqual(['run.started', 'run.completed']);
    expect(server.requests.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET']);
  });

  it('a silent stream is opened again, and heartbeats prevent that', async () => {
    const heartbeats = sseStream([...Array.from({ length: 150 }, () => heartbeat), started, completed]);
    const server = await startFakeServer(accepted, sseStream([], 'hang'), heartbeats);

    const events = await collect(server.client().agents.stream('a-1', { input: 'x' }, { timeoutMs: 500 }));

    expect(names(events)).toEqual(['run.started', 'run.completed']);
    expect(server.requests).toHaveLength(3);
  });

  it.each([
    ['the server is gone for longer than the deadline', disconnect, 'ConnectionError'],
    ['it is refused', problem(500, 'Server Error'), 'ServerError'],
  ])('the error names the run, which has started, if %s', async (_what, responder, cause) => {
    const server = await startFakeServer(accepted, responder);
    const options = { deadlineMs: 1_500, idempotencyKey: 'mine' };

    const events = collect(server.client().agents.stream('a-1', { input: 'x' }, options));

    await expect(events).rejects.toMatchObject({
      name: 'StreamInterruptedError',
      runId: run.id,
      sessionId: 's-1',
      idempotencyKey: 'mine',
      cause: { name: cause },
    });
  });
});

describe('a run whose start is not answered', () => {
  it('is started again with the same idempotency key', async () => {
    const server = await startFakeServer(disconnect, accepted, sseStream([started, completed]));

    const events = await collect(server.client().agents.stream('a-1', { input: 'x' }));

    const keys = server.requests.slice(0, 2).map(({ headers }) => headers['idempotency-key']);
    expect(names(events)).toEqual(['run.started', 'run.completed']);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(keys[1]).toBe(keys[0]);
  });

  it('throws a ConnectionError with the key, because the run may have started', async () => {
    const server = await startFakeServer(disconnect);
    const options = { retriesMax: 0, idempotencyKey: 'mine' };

    const events = collect(server.client().agents.stream('a-1', { input: 'x' }, options));

    await expect(events).rejects.toMatchObject({ name: 'ConnectionError', idempotencyKey: 'mine' });
  });
});
