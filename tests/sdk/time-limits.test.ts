import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  createClient,
  OverloadedError,
  TimeoutError,
  type Client,
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

  it('a negative or NaN option throws an error', async () => {
    const server = await startFakeServer(answer);

    await expect(server.client().tasks.get('1', { timeoutMs: NaN })).rejects.toThrow(/timeoutMs/);
    expect(() => server.client({ retriesMax: -1 })).toThrow(/retriesMax/);
  });

  it('a finished call leaves no timer that keeps the process alive, and no listener', async () => {
    const index = new URL('../../sdk/src/index.ts', import.meta.url).href;
    const program = `
      import { getEventListeners } from 'node:events';
      import { createClient } from '${index}';
      let attempts = 0;
      const fetch = async () => {
        if (attempts++ === 0) throw new TypeError('fetch failed');
        return Response.json({ task: {} });
      };
      const { signal } = new AbortController();
      const { tasks } = createClient({ baseUrl: 'http://localhost', token: 't', fetch });
      await tasks.get('1', { timeoutMs: 60_000, deadlineMs: 60_000, signal });
      console.log(getEventListeners(signal, 'abort').length);`;

    const args = ['--input-type=module', '--eval', program];
    const exit = promisify(execFile)(process.execPath, args, { timeout: 25_000 });

    await expect(exit).resolves.toEqual({ stdout: '0\n', stderr: '' });
  });
});

const never = () => new Promise<Response>(() => undefined);
const running = () => Promise.resolve(Response.json({ status: 'running' }));
type Call = (client: Client, options: RunOptions) => Promise<unknown>;
const run: Call = ({ agents }, options) => agents.run('1', { input: 'x' }, { ...options, retriesMax: 0 });
const wait: Call = ({ runs }, options) => runs.wait('1', options);

it.each<[string, typeof never, Call, RunOptions, Partial<ClientOptions>, number]>([
  ['a run is 150 seconds, because the server waits 120', never, run, {}, {}, 150_000],
  ['a run is extended by a longer limit of the client', never, run, {}, { timeoutMs: 200_000 }, 200_000],
  ['a run is 30 seconds more than prefer asks for', never, run, { prefer: 'wait=300' }, {}, 330_000],
  ['a run with respond-async is that of other calls', never, run, { prefer: 'respond-async' }, {}, 60_000],
  ['a wait for a run is its deadline', running, wait, { deadlineMs: 900 }, {}, 900],
])('the time limit of %s', async (_what, respond, call, options, clientOptions, limitMs) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const fetch = vi.fn(respond);
  const onFailure = vi.fn();

  const client = createClient({ baseUrl: 'http://localhost', token: 't', fetch, ...clientOptions });
  call(client, options).catch(onFailure);
  await vi.advanceTimersByTimeAsync(limitMs - 1);
  expect(fetch).toHaveBeenCalled();
  expect(onFailure).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);

  expect(onFailure).toHaveBeenCalledWith(expect.any(TimeoutError));
});
