import { describe, expect, it, vi } from 'vitest';
import { AbortError, createClient, type RunEvent } from '../../sdk/src/index.ts';
import { startTimeLimit } from '../../sdk/src/time-limit.ts';
import {
  collect,
  cut,
  deafFetch,
  hang,
  json,
  problem,
  startFakeServer,
  stream,
  text,
} from './fake-server.ts';
import { message, run, session, task } from './samples.ts';

const answer = json(200, { task });
const started = text('run.started', run);
const said = text('message', message('m-1', 'Done.'), '1');

describe('an AbortSignal', () => {
  it('that is aborted already sends nothing', async () => {
    const server = await startFakeServer(answer);

    await expect(server.client().tasks.get('1', { signal: AbortSignal.abort('no') })).rejects.toMatchObject({
      name: 'AbortError',
      cause: 'no',
    });

    expect(server.requests).toHaveLength(0);
  });

  it('ends a call under way, with its reason as the cause', async () => {
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

  it('ends the wait before a retry', async () => {
    // Waiting for it would take longer than a test may.
    const server = await startFakeServer(problem(503, 'Overloaded', { 'Retry-After': '60' }));

    await expect(server.client().tasks.get('1', { signal: AbortSignal.timeout(100) })).rejects.toThrow(
      AbortError,
    );

    expect(server.requests).toHaveLength(1);
  });

  it('ends a list between its pages', async () => {
    const server = await startFakeServer(json(200, { tasks: [task], count: 3 }), hang);
    const controller = new AbortController();
    const list = server.client().tasks.list({ limit: 1 }, { signal: controller.signal });

    const reading = (async () => {
      for await (const { id } of list) controller.abort(id);
    })();

    await expect(reading).rejects.toThrow(AbortError);
  });

  it('is no longer listened to when the call is over', async () => {
    const server = await startFakeServer(cut, answer);
    const { signal } = new AbortController();
    let listeners = 0;
    const counted = Object.assign(signal, {
      addEventListener: () => (listeners += 1),
      removeEventListener: () => (listeners -= 1),
    });

    await server.client().tasks.get('1', { signal: counted });

    expect(listeners).toBe(0);
  });

  it('is listened to only while something is waited for', async () => {
    const limit = startTimeLimit({ timeoutMs: 1_000, deadlineAtMs: Infinity, signal: undefined });
    const added = vi.spyOn(limit.signal, 'addEventListener');
    const removed = vi.spyOn(limit.signal, 'removeEventListener');

    for (let piece = 0; piece < 100; piece += 1) await limit.race(() => Promise.resolve(piece));
    limit.end();

    expect(added).toHaveBeenCalledTimes(100);
    expect(removed.mock.calls.map(([, listener]) => listener)).toEqual(
      added.mock.calls.map(([, listener]) => listener),
    );
  });

  it('that is aborted already asks for no token and calls no fetch', async () => {
    const token = vi.fn(() => 't');
    const fetch = vi.fn(() => Promise.resolve(new Response('{}')));
    const { tasks } = createClient({ baseUrl: 'http://localhost', token, fetch });

    await expect(tasks.get('1', { signal: AbortSignal.abort() })).rejects.toThrow(AbortError);

    expect(token).not.toHaveBeenCalled();
    expect(fetch).not.toHaveBeenCalled();
  });
});

describe('the stream of a run that is aborted', () => {
  it('ends', async () => {
    const server = await startFakeServer(stream([': hello\n\n'], 'hang'));
    const events = server.client().agents.stream('1', { input: 'x' }, { signal: AbortSignal.timeout(100) });

    await expect(collect(events)).rejects.toThrow(AbortError);
  });

  it.each([
    ['before its first event', [': hello\n\n']],
    ['after its first event', [started]],
  ])('ends %s also when its fetch knows nothing of signals', async (_when, pieces) => {
    const server = await startFakeServer(stream(pieces, 'hang'));
    const { agents } = server.client({ fetch: deafFetch });
    const events = agents.stream('1', { input: 'x' }, { signal: AbortSignal.timeout(100) });

    await expect(collect(events)).rejects.toThrow(AbortError);
  });

  it('tells no event that came with the one before', async () => {
    const server = await startFakeServer(stream([started + said], 'hang'));
    const { options, told } = abortAtFirst();

    const reading = told(server.client().agents.stream('1', { input: 'x' }, options));

    await expect(reading).rejects.toMatchObject({ name: 'AbortError', cause: ['run.started'] });
  });

  it('tells no message that was missed either', async () => {
    const messages = [message('m-1', 'Do'), message('m-2', 'ne.')];
    const server = await startFakeServer(
      stream([started], 'cut'),
      json(200, session),
      json(200, { messages, count: 2 }),
    );
    const { options, told } = abortAtFirst('message');

    const reading = told(server.client().agents.stream('1', { input: 'x' }, options));

    await expect(reading).rejects.toMatchObject({ name: 'AbortError', cause: ['run.started', 'message'] });
  });
});

/** Reads a stream and aborts it at the first event of a kind, with what was told until then as the reason. */
function abortAtFirst(kind = 'run.started') {
  const controller = new AbortController();
  return {
    options: { signal: controller.signal },
    told: async (events: AsyncIterable<RunEvent>): Promise<void> => {
      const names: string[] = [];
      for await (const { event } of events) {
        names.push(event);
        if (event === kind) controller.abort(names);
      }
    },
  };
}
