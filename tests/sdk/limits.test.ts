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
import { collect, deafFetch, hang, json, problem, startFakeServer, stream, text } from './fake-server.ts';
import { run, session, task } from './samples.ts';

const answer = json(200, { task });

describe('time limits', () => {
  it('end an attempt that takes too long, and the next one starts afresh', async () => {
    const server = await startFakeServer(hang, answer);

    await server.client({ timeoutMs: 100 }).tasks.get('1');

    expect(server.requests).toHaveLength(2);
  });

  it('throw a TimeoutError of the attempt when the last one takes too long', async () => {
    const server = await startFakeServer(hang);

    const failure = server.client().tasks.get('1', { timeoutMs: 50, retriesMax: 0 });

    await expect(failure).rejects.toThrow(TimeoutError);
    await expect(failure).rejects.toMatchObject({ limit: 'attempt' });
  });

  it('cover a body that never ends', async () => {
    const server = await startFakeServer((response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).write('{');
    });

    await expect(server.client().tasks.get('1', { timeoutMs: 50, retriesMax: 0 })).rejects.toThrow(
      TimeoutError,
    );
  });

  it('end the whole call at its deadline', async () => {
    const server = await startFakeServer(hang);

    const failure = server.client().tasks.get('1', { deadlineMs: 150 });

    await expect(failure).rejects.toMatchObject({ name: 'TimeoutError', limit: 'deadline' });
  });

  it('do not wait for a retry that the deadline forbids', async () => {
    const server = await startFakeServer(problem(503, 'Overloaded', { 'Retry-After': '30' }));

    await expect(server.client().tasks.get('1', { deadlineMs: 2_000 })).rejects.toThrow(OverloadedError);

    expect(server.requests).toHaveLength(1);
  });

  it('also end a token function that never returns', async () => {
    const server = await startFakeServer(answer);
    const client = server.client({ token: () => new Promise<string>(() => undefined), retriesMax: 0 });

    await expect(client.tasks.get('1', { timeoutMs: 50 })).rejects.toThrow(TimeoutError);
  });

  it('refuse a number that is none', async () => {
    const server = await startFakeServer(answer);

    await expect(server.client().tasks.get('1', { timeoutMs: NaN })).rejects.toThrow(/timeoutMs/);
    expect(() => server.client({ retriesMax: -1 })).toThrow(/retriesMax/);
  });

  it('leave no timer behind that would keep a process alive', async () => {
    const server = await startFakeServer(answer);
    const index = new URL('../../sdk/src/index.ts', import.meta.url).href;
    const program = `
      import { createClient } from '${index}';
      const client = createClient({ baseUrl: '${server.url}', token: 't', fetch: (request) => {
        const quick = new Request(request, { headers: { ...Object.fromEntries(request.headers), connection: 'close' } });
        return fetch(quick);
      } });
      await client.tasks.get('1', { timeoutMs: 60_000, deadlineMs: 60_000, signal: new AbortController().signal });`;

    const ending = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
      timeout: 25_000,
    });

    await expect(ending).resolves.toEqual({ stdout: '', stderr: '' });
  });

  it('hold for a fetch that takes no notice of signals', async () => {
    const server = await startFakeServer(hang, answer);

    await server.client({ timeoutMs: 300, fetch: deafFetch }).tasks.get('1');

    expect(server.requests).toHaveLength(2);
  });

  it('hold for the silence of a stream, whatever fetch reads it', async () => {
    const server = await startFakeServer(
      stream([text('run.started', run)], 'hang'),
      json(200, session),
      json(200, { messages: [], count: 0 }),
    );
    const { agents } = server.client({ timeoutMs: 200, fetch: deafFetch });

    const events = await collect(agents.stream('1', { input: 'x' }));

    expect(events.map(({ event }) => event)).toEqual(['run.started', 'run.completed']);
  });

  it('end a stream at its deadline, however fast its pieces come', async () => {
    const restless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        controller.enqueue(new TextEncoder().encode(': still here\n\n'));
      },
    });
    const headers = { 'Content-Type': 'text/event-stream' };
    const fetch = () => Promise.resolve(new Response(restless, { headers }));
    const { agents } = createClient({ baseUrl: 'http://localhost', token: 't', fetch });

    const events = collect(agents.stream('1', { input: 'x' }, { deadlineMs: 100 }));

    await expect(events).rejects.toMatchObject({ name: 'TimeoutError', limit: 'deadline' });
  });
});

describe('the time limit of a run', () => {
  it.each<[string, RunOptions, Partial<ClientOptions>, number]>([
    ['150 seconds, for the server waits 120', {}, {}, 150_000],
    ['no less by a shorter limit of the client', {}, { timeoutMs: 1_000 }, 150_000],
    ['more by a longer limit of the client', {}, { timeoutMs: 200_000 }, 200_000],
    ['what the call says', { timeoutMs: 1_000 }, {}, 1_000],
    ['half a minute more than the server is asked to wait', { prefer: 'wait=300' }, {}, 330_000],
    ['that of any call for a run in the background', { prefer: 'respond-async' }, {}, 60_000],
  ])('is %s', async (_what, runOptions, clientOptions, limitMs) => {
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
