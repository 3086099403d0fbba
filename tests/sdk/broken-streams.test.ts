import { describe, expect, it } from 'vitest';
import { ConnectionError, StreamInterruptedError, type RunEvent } from '../../sdk/src/index.ts';
import { collect, cut, json, problem, startFakeServer, stream, text } from './fake-server.ts';
import { completedRun, message, run, session } from './samples.ts';

const started = text('run.started', run);
const completed = text('run.completed', completedRun);
const heartbeat = ': still here\n\n';
const noMessages = json(200, { messages: [], count: 0 });

function names(events: readonly RunEvent[]): string[] {
  return events.map(({ event, data }) => ('content' in data ? `${event} ${data.id}` : event));
}

describe('the stream of a run', () => {
  it.each(['end', 'cut'] as const)(
    'that breaks (%s) goes on with the messages that were missed',
    async (then) => {
      const messages = { messages: [message('m-2', 'ne.')], count: 1 };
      const server = await startFakeServer(
        stream([started, text('message', message('m-1', 'Do'), '1')], then),
        json(200, session),
        json(200, messages),
      );

      const events = await collect(server.client().agents.stream('a-1', { input: 'x' }));

      expect(names(events)).toEqual(['run.started', 'message m-1', 'message m-2', 'run.completed']);
      expect(server.requests.slice(1).map(({ url }) => url)).toEqual([
        '/v1/sessions/s-1',
        '/v1/sessions/s-1/messages?after=m-1&offset=0',
      ]);
    },
  );

  it('that breaks waits for a run that goes on, and leaves out the messages of other runs', async () => {
    const other = { ...message('m-0', 'older'), run_id: 'other' };
    const server = await startFakeServer(
      stream([started], 'cut'),
      json(200, { ...session, run }),
      noMessages,
      json(200, session),
      json(200, { messages: [other, message('m-1', 'Done.')], count: 2 }),
    );

    const events = await collect(server.client().agents.stream('a-1', { input: 'x' }));

    expect(names(events)).toEqual(['run.started', 'message m-1', 'run.completed']);
  });

  it('that is silent for too long is taken as broken', async () => {
    const server = await startFakeServer(stream([started], 'hang'), json(200, session), noMessages);

    const events = await collect(server.client().agents.stream('a-1', { input: 'x' }, { timeoutMs: 200 }));

    expect(names(events)).toEqual(['run.started', 'run.completed']);
  });

  it('whose run is hidden by a later one is an error that names both run and session', async () => {
    const later = json(200, { ...session, run: { ...run, id: 'later' } });
    const server = await startFakeServer(stream([started]), later, noMessages);

    await expect(collect(server.client().agents.stream('a-1', { input: 'x' }))).rejects.toMatchObject({
      name: 'StreamInterruptedError',
      runId: run.id,
      sessionId: 's-1',
      idempotencyKey: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
  });

  it('whose session cannot be read either is an error with that as its cause', async () => {
    const server = await startFakeServer(stream([started], 'cut'), problem(500, 'Server Error'));

    await expect(collect(server.client().agents.stream('a-1', { input: 'x' }))).rejects.toMatchObject({
      name: 'StreamInterruptedError',
      runId: run.id,
      cause: { name: 'ServerError' },
    });
  });
});

describe('the stream of a run that breaks before its first event', () => {
  it.each(['end', 'cut'] as const)('is opened again under the same key (%s)', async (then) => {
    const server = await startFakeServer(stream([heartbeat], then), stream([started, completed]));

    const events = await collect(server.client().agents.stream('a-1', { input: 'x' }));

    const keys = server.requests.map(({ headers }) => headers['idempotency-key']);
    expect(names(events)).toEqual(['run.started', 'run.completed']);
    expect(keys).toHaveLength(2);
    expect(keys[1]).toBe(keys[0]);
  });

  it('by silence is opened again too, and heartbeats are no silence', async () => {
    const patient = stream([...Array.from({ length: 150 }, () => heartbeat), started, completed]);
    const server = await startFakeServer(stream([], 'hang'), patient);

    const events = await collect(server.client().agents.stream('a-1', { input: 'x' }, { timeoutMs: 500 }));

    expect(names(events)).toEqual(['run.started', 'run.completed']);
    expect(server.requests).toHaveLength(2);
  });

  it.each([
    ['end', 'ConnectionError', undefined],
    ['cut', 'ConnectionError', undefined],
    ['hang', 'TimeoutError', 200],
  ] as const)('as often as it may is an error that has the key (%s)', async (then, cause, timeoutMs) => {
    const server = await startFakeServer(stream([heartbeat], then));
    const options = { retriesMax: 1, timeoutMs };

    const failure: unknown = await collect(
      server.client().agents.stream('a-1', { input: 'x' }, options),
    ).catch((reason: unknown) => reason);

    expect(server.requests).toHaveLength(2);
    expect(failure).toBeInstanceOf(StreamInterruptedError);
    expect(failure).toMatchObject({
      runId: undefined,
      sessionId: undefined,
      idempotencyKey: server.requests[1]?.headers['idempotency-key'],
      cause: { name: cause },
    });
  });

  it.each([
    ['cannot be opened again', cut, 'ConnectionError'],
    ['is refused then', problem(500, 'Server Error'), 'ServerError'],
  ])('and %s is an error that has the key, for the run may have begun', async (_what, reaction, cause) => {
    const server = await startFakeServer(stream([heartbeat], 'cut'), reaction);
    const options = { retriesMax: 1, idempotencyKey: 'mine' };

    const events = collect(server.client().agents.stream('a-1', { input: 'x' }, options));

    await expect(events).rejects.toMatchObject({
      name: 'StreamInterruptedError',
      idempotencyKey: 'mine',
      cause: { name: cause },
    });
    expect(server.requests).toHaveLength(2);
  });

  it('is not opened again once an event has been told', async () => {
    const server = await startFakeServer(stream([text('message.delta', { run_id: run.id, text: 'Do' })]));

    const events = collect(server.client().agents.stream('a-1', { input: 'x' }, { idempotencyKey: 'mine' }));

    await expect(events).rejects.toMatchObject({ name: 'StreamInterruptedError', idempotencyKey: 'mine' });
    expect(server.requests).toHaveLength(1);
  });

  it('is no interruption when nothing was opened', async () => {
    const server = await startFakeServer(cut);

    const events = collect(server.client().agents.stream('a-1', { input: 'x' }, { retriesMax: 0 }));

    await expect(events).rejects.toThrow(ConnectionError);
  });
});
