import { describe, expect, it, vi } from 'vitest';
import { AbortError, createClient, type RunEvent } from '../../sdk/src/index.ts';
import { startTimeLimit } from '../../sdk/src/time-limit.ts';
import {
  collect,
  disconnect,
  fetchIgnoringSignals,
  hang,
  json,
  problem,
  startFakeServer,
  sseStream,
  sseEvent,
} from './fake-server.ts';
import { message, queuedRun, run, task } from './samples.ts';

const answer = json(200, { task });
const started = sseEvent('run.started', run);
const messageEvent = sseEvent('message', message('m-1', 'Done.'), '1');

describe('aborting a call', () => {
  it('a call with an aborted signal sends no request', async () => {
    const server = await startFakeServer(answer);

    await expect(server.client().tasks.get('1', { signal: AbortSignal.abort('no') })).rejects.toMatchObject({
      name: 'AbortError',
      cause: 'no',
    });

    expect(server.requests).toHaveLength(0);
  });

  it('a pending call rejects with an AbortError whose cause is the reason of the signal', async () => {
    const controller = new AbortController();
    const reason = new Error('changed my mind');
    const server = await startFakeServer(() => {
      controller.abort(reason);
    });

    const failure = server.client().tasks.get('1', { signal: controller.signal });

    await expect(failure).rejects.toThrow(AbortError);
    await expect(failure).rejects.toMatchObject({ cause: reason });
    expect(server.requests).toHaveLength(1);
  });

  it('the delay before a retry ends when the signal is aborted', async () => {
    // The test would time out during this delay.
    const server = await startFakeServer(problem(503, 'Overloaded', { 'Retry-After': '60' }));

    await expect(server.client().tasks.get('1', { signal: AbortSignal.timeout(100) })).rejects.toThrow(
      AbortError,
    );

    expect(server.requests).toHaveLength(1);
  });

  it('a list rejects with an AbortError when the signal is aborted between two pages', async () => {
    const server = await startFakeServer(json(200, { tasks: [task], count: 3 }), hang);
    const controller = new AbortController();
    const list = server.client().tasks.list({ limit: 1 }, { signal: controller.signal });

    const iteration = (async () => {
      for await (const { id } of list) controller.abort(id);
    })();

    await expect(iteration).rejects.toThrow(AbortError);
  });

  it('a finished call leaves no listener on the signal', async () => {
    const server = await startFakeServer(disconnect, answer);
    const { signal } = new AbortController();
    let listeners = 0;
    const counted = Object.assign(signal, {
      addEventListener: () => (listeners += 1),
      removeEventListener: () => (listeners -= 1),
    });

    await server.client().tasks.get('1', { signal: counted });

    expect(listeners).toBe(0);
  });

  it('a time limit removes its listener after each awaited step', async () => {
    const limit = startTimeLimit({ timeoutMs: 1_000, deadlineAtMs: Infinity, signal: undefined });
    const added = vi.spyOn(limit.signal, 'addEventListener');
    const removed = vi.spyOn(limit.signal, 'removeEventListener');

    for (let step = 0; step < 100; step += 1) await limit.race(() => Promise.resolve(step));
    limit.end();

    expect(added).toHaveBeenCalledTimes(100);
    expect(removed.mock.calls.map(([, listener]) => listener)).toEqual(
      added.mock.calls.map(([, listener]) => listener),
    );
  });

  it('a call with an aborted signal calls neither the token function nor fetch', async () => {
    const token = vi.fn(() => 't');
    const fetch = vi.fn(() => Promise.resolve(new Response('{}')));
    const { tasks } = createClient({ baseUrl: 'http://localhost', token, fetch });

    await expect(tasks.get('1', { signal: AbortSignal.abort() })).rejects.toThrow(AbortError);

    expect(token).not.toHaveBeenCalled();
    expect(fetch).not.toHaveBeenCalled();
  });
});

describe('aborting a stream', () => {
  const accepted = json(202, queuedRun);

  it('a silent stream rejects with an AbortError', async () => {
    const server = await startFakeServer(accepted, sseStream([': hello\n\n'], 'hang'));
    const events = server.client().agents.stream('1', { input: 'x' }, { signal: AbortSignal.timeout(100) });

    await expect(collect(events)).rejects.toThrow(AbortError);
  });

  it.each([
    ['before its first event', [': hello\n\n']],
    ['after its first event', [started]],
  ])('a stream aborted %s rejects even if fetch ignores the signal', async (_when, chunks) => {
    const server = await startFakeServer(accepted, sseStream(chunks, 'hang'));
    const { agents } = server.client({ fetch: fetchIgnoringSignals });
    const events = agents.stream('1', { input: 'x' }, { signal: AbortSignal.timeout(100) });

    await expect(collect(events)).rejects.toThrow(AbortError);
  });

  it('an aborted stream yields no further event, even from the same chunk', async () => {
    const server = await startFakeServer(accepted, sseStream([started + messageEvent], 'hang'));
    const { options, read } = abortAtFirst();

    const reading = read(server.client().agents.stream('1', { input: 'x' }, options));

    await expect(reading).rejects.toMatchObject({ name: 'AbortError', cause: ['run.started'] });
  });

  it('a resumed stream yields no further message after it is aborted', async () => {
    const messages = [message('m-1', 'Do'), message('m-2', 'ne.')].map((each, i) =>
      sseEvent('message', each, String(i + 1)),
    );
    const server = await startFakeServer(
      accepted,
      sseStream([started], 'disconnect'),
      sseStream([started, messages.join('')], 'hang'),
    );
    const { options, read } = abortAtFirst('message');

    const reading = read(server.client().agents.stream('1', { input: 'x' }, options));

    await expect(reading).rejects.toMatchObject({ name: 'AbortError', cause: ['run.started', 'message'] });
  });
});

/** Reads a stream and aborts it at the first event of a kind. The reason contains the names of the events so far. */
function abortAtFirst(kind = 'run.started') {
  const controller = new AbortController();
  return {
    options: { signal: controller.signal },
    read: async (events: AsyncIterable<RunEvent>): Promise<void> => {
      const names: string[] = [];
      for await (const { event } of events) {
        names.push(event);
        if (event === kind) controller.abort(names);
      }
    },
  };
}
