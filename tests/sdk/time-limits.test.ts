import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  createClient,
  OverloadedError,
  TimeoutError,
  type ClientOptions,
  type RequestOptions,
  type RunOptions,
} from '../../sdk/src/index.ts';
import { fetchIgnoringSignals, hang, problem, startFakeServer, type Responder } from './fake-server.ts';
import { answer } from './samples.ts';

const endless: Responder = (response) => response.writeHead(200).write('{');

describe('time limits', () => {
  it.each([{}, { fetch: fetchIgnoringSignals }])(
    'an attempt that exceeds timeoutMs is retried with a new time limit: %o',
    async (options) => {
      const server = await startFakeServer(hang, answer);

      await server.client({ timeoutMs: 500, ...options }).tasks.get('1');

      expect(server.requests).toHaveLength(2);
    },
  );

  const last = { timeoutMs: 50, retriesMax: 0 };

  it.each<[string, Responder, RequestOptions, string]>([
    ['timeoutMs in its last attempt', hang, last, 'attempt'],
    ['timeoutMs while its body does not end', endless, last, 'attempt'],
    ['deadlineMs', hang, { deadlineMs: 150 }, 'deadline'],
  ])('a call that exceeds %s throws a TimeoutError', async (_what, responder, options, limit) => {
    const server = await startFakeServer(responder);

    const failure = server.client().tasks.get('1', options);

    await expect(failure).rejects.toThrow(TimeoutError);
    await expect(failure).rejects.toMatchObject({ limit });
  });

  it('a call fails immediately if the next retry would exceed deadlineMs', async () => {
    const server = await startFakeServer(problem(503, 'Overloaded', { 'Retry-After': '30' }));

    await expect(server.client().tasks.get('1', { deadlineMs: 2_000 })).rejects.toThrow(OverloadedError);

    expect(server.requests).toHaveLength(1);
  });

  it('a wait for a run ends at its deadline, and not sooner', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const fetch = (): Promise<Response> => Promise.resolve(Response.json({ status: 'running' }));
    const onFailure = vi.fn();

    createClient({ baseUrl: 'http://localhost', token: 't', fetch })
      .runs.wait('1', { deadlineMs: 900 })
      .catch(onFailure);
    await vi.advanceTimersByTimeAsync(899);
    expect(onFailure).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);

    expect(onFailure).toHaveBeenCalledWith(expect.any(TimeoutError));
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
});

it.each<[string, RunOptions, Partial<ClientOptions>, number]>([
  ['150 seconds, because the server waits 120', {}, {}, 150_000],
  ['extended by a longer limit of the client', {}, { timeoutMs: 200_000 }, 200_000],
  ['30 seconds more than prefer asks the server to wait', { prefer: 'wait=300' }, {}, 330_000],
  ['the default of other calls with respond-async', { prefer: 'respond-async' }, {}, 60_000],
])('the time limit of agents.run is %s', async (_what, runOptions, clientOptions, limitMs) => {
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
