import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { AbortError, OverloadedError, TimeoutError } from '../../sdk/src/index.ts';
import { collect, cut, hang, json, problem, startFakeServer, stream } from './fake-server.ts';
import { task } from './samples.ts';

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
    const startedMs = Date.now();

    await expect(server.client().tasks.get('1', { deadlineMs: 2_000 })).rejects.toThrow(OverloadedError);

    expect(Date.now() - startedMs).toBeLessThan(1_000);
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
    const startedMs = Date.now();

    await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
      timeout: 20_000,
    });

    expect(Date.now() - startedMs).toBeLessThan(15_000);
  });
});

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
    const server = await startFakeServer(hang);
    const controller = new AbortController();
    const reason = new Error('changed my mind');
    setTimeout(() => {
      controller.abort(reason);
    }, 50);

    const failure = server.client().tasks.get('1', { signal: controller.signal });

    await expect(failure).rejects.toThrow(AbortError);
    await expect(failure).rejects.toMatchObject({ cause: reason });
    expect(server.requests).toHaveLength(1);
  });

  it('ends the wait before a retry', async () => {
    const server = await startFakeServer(problem(503, 'Overloaded', { 'Retry-After': '30' }));
    const startedMs = Date.now();

    await expect(server.client().tasks.get('1', { signal: AbortSignal.timeout(100) })).rejects.toThrow(
      AbortError,
    );

    expect(Date.now() - startedMs).toBeLessThan(5_000);
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

  it('ends the stream of a run', async () => {
    const server = await startFakeServer(stream([': hello\n\n'], 'hang'));
    const events = server.client().agents.stream('1', { input: 'x' }, { signal: AbortSignal.timeout(100) });

    await expect(collect(events)).rejects.toThrow(AbortError);
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
});
