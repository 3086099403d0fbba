import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  createClient,
  OverloadedError,
  TimeoutError,
  type ClientOptions,
  type RunOptions,
} from '../../sdk/src/index.ts';
import {
  collect,
  fetchIgnoringSignals,
  hang,
  json,
  problem,
  startFakeServer,
  sseStream,
  sseEvent,
} from './fake-server.ts';
import { completedRun, run, task } from './samples.ts';

const answer = json(200, { task });

describe('time limits', () => {
  it('an attempt that exceeds timeoutMs is retried with a new time limit', async () => {
    const server = await startFakeServer(hang, answer);

    await server.client({ timeoutMs: 100 }).tasks.get('1');

    expect(server.requests).toHaveLength(2);
  });

  it('the last attempt that exceeds timeoutMs throws a TimeoutError with limit "attempt"', async () => {
    const server = await startFakeServer(hang);

    const failure = server.client().tasks.get('1', { timeoutMs: 50, retriesMax: 0 });

    await expect(failure).rejects.toThrow(TimeoutError);
    await expect(failure).rejects.toMatchObject({ limit: 'attempt' });
  });

  it('timeoutMs covers a response body that never ends', async () => {
    const server = await startFakeServer((response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).write('{');
    });

    await expect(server.client().tasks.get('1', { timeoutMs: 50, retriesMax: 0 })).rejects.toThrow(
      TimeoutError,
    );
  });

  it('a call that exceeds deadlineMs throws a TimeoutError with limit "deadline"', async () => {
    const server = await startFakeServer(hang);

    const failure = server.client().tasks.get('1', { deadlineMs: 150 });

    await expect(failure).rejects.toMatchObject({ name: 'TimeoutError', limit: 'deadline' });
  });

  it('a call fails immediately if the next retry would exceed deadlineMs', async () => {
    const server = await startFakeServer(problem(503, 'Overloaded', { 'Retry-After': '30' }));

    await expect(server.client().tasks.get('1', { deadlineMs: 2_000 })).rejects.toThrow(OverloadedError);

    expect(server.requests).toHaveLength(1);
  });

  it('timeoutMs covers a token function that never resolves', async () => {
    const server = await startFakeServer(answer);
    const client = server.client({ token: () => new Promise<string>(() => undefined), retriesMax: 0 });

    await expect(client.tasks.get('1', { timeoutMs: 50 })).rejects.toThrow(TimeoutError);
  });

  it('a negative or NaN option throws an error', async () => {
    const server = await startFakeServer(answer);

    await expect(server.client().tasks.get('1', { timeoutMs: NaN })).rejects.toThrow(/timeoutMs/);
    expect(() => server.client({ retriesMax: -1 })).toThrow(/retriesMax/);
  });

  it('a finished call leaves no timer that keeps the process alive', async () => {
    const server = await startFakeServer(answer);
    const index = new URL('../../sdk/src/index.ts', import.meta.url).href;
    const program = `
      import { createClient } from '${index}';
      const client = createClient({ baseUrl: '${server.url}', token: 't', fetch: (request) => {
        const closing = new Request(request, { headers: { ...Object.fromEntries(request.headers), connection: 'close' } });
        return fetch(closing);
      } });
      await client.tasks.get('1', { timeoutMs: 60_000, deadlineMs: 60_000, signal: new AbortController().signal });`;

    const exit = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
      timeout: 25_000,
    });

    await expect(exit).resolves.toEqual({ stdout: '', stderr: '' });
  });

  it('timeoutMs applies even if fetch ignores its signal', async () => {
    const server = await startFakeServer(hang, answer);

    await server.client({ timeoutMs: 300, fetch: fetchIgnoringSignals }).tasks.get('1');

    expect(server.requests).toHaveLength(2);
  });

  it('timeoutMs ends a silent stream even if fetch ignores its signal', async () => {
    const server = await startFakeServer(
      sseStream([sseEvent('run.started', run)], 'hang'),
      sseStream([sseEvent('run.started', run), sseEvent('run.completed', completedRun)]),
    );
    const { runs } = server.client({ timeoutMs: 200, fetch: fetchIgnoringSignals });

    const events = await collect(runs.stream('1'));

    expect(events.map(({ event }) => event)).toEqual(['run.started', 'run.completed']);
  });

  it('deadlineMs ends a stream even if its chunks arrive without a pause', async () => {
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        controller.enqueue(new TextEncoder().encode(': still here\n\n'));
      },
    });
    const headers = { 'Content-Type': 'text/event-stream' };
    const fetch = () => Promise.resolve(new Response(endless, { headers }));
    const { runs } = createClient({ baseUrl: 'http://localhost', token: 't', fetch });

    const events = collect(runs.stream('1', { deadlineMs: 100 }));

    await expect(events).rejects.toMatchObject({ name: 'TimeoutError', limit: 'deadline' });
  });
});

describe('time limit of agents.run', () => {
  it.each<[string, RunOptions, Partial<ClientOptions>, number]>([
    ['150 seconds, because the server waits 120', {}, {}, 150_000],
    ['not reduced by a shorter limit of the client', {}, { timeoutMs: 1_000 }, 150_000],
    ['extended by a longer limit of the client', {}, { timeoutMs: 200_000 }, 200_000],
    ['the timeoutMs of the call', { timeoutMs: 1_000 }, {}, 1_000],
    ['30 seconds more than prefer asks the server to wait', { prefer: 'wait=300' }, {}, 330_000],
    ['the default of other calls with respond-async', { prefer: 'respond-async' }, {}, 60_000],
  ])('the time limit is %s', async (_what, runOptions, clientOptions, limitMs) => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const fetch = vi.fn(() => new Promise<Response>(() => undefined));
    const { agents } = createClient({ baseUrl: 'http://localhost', token: 't', fetch, ...clientOptions });
    const onFailure = vi.fn();

    agents.run('1', { input: 'x' }, { ...runOptions, retriesMax: 0 }).catch(onFailure);
    await vi.advanceTimersByTimeAsync(limitMs - 1);
    expect(fetch).toHaveBeenCalledTimes(1);
    expect(onFailure).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);

    expect(onFailure).toHaveBeenCalledWith(expect.any(TimeoutError));
  });
});
