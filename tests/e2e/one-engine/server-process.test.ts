import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Client } from '../../support/client.ts';
import { outputOf, startByNpm, startOnTerminal, startProcess } from '../../support/process.ts';
import { versionOf } from '../../support/installed.ts';
import { createDatabase } from '../../support/server.ts';
import { childrenOf, hasEnded } from '../../support/children.ts';
import { freePort } from '../../support/free-port.ts';
import { createTask } from '../../support/tasks.ts';
import { compileCache } from '../../support/node.ts';
import { secret, tokenFor } from '../../support/tokens.ts';

const database = await createDatabase();
const withSecret = { ...database.env, JWT_SECRET: secret };

describe('the server as a process', () => {
  it('accepts requests during SHUTDOWN_DELAY when all processes of `npm start` receive SIGTERM', async () => {
    const server = await startByNpm(['start'], { ...database.env, SHUTDOWN_DELAY: '1500ms' }, 'group');
    const ended = server.stop('SIGTERM');

    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect(await ended).toBe(0);
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow('fetch failed');
  });

  it('answers requests in flight after SIGTERM', async () => {
    const server = await startProcess({ ...withSecret, SHUTDOWN_DELAY: '1500ms' });
    const alice = await server.as('alice');
    const answers: number[] = [];
    // Like a load balancer, sends requests only while the server is ready.
    const busy = (async () => {
      while ((await fetch(`${server.url}/readyz`)).ok) answers.push((await alice.send('listTasks')).status);
    })();
    await expect.poll(() => answers.length).toBeGreaterThan(5);

    const code = await server.stop('SIGTERM');

    await busy;
    expect(code).toBe(0);
    expect(new Set(answers)).toEqual(new Set([200]));
  });

  it('logs each request with its trace and without its token, and the request and end of the shutdown', async () => {
    const server = await startProcess(withSecret);
    const token = await tokenFor('alice');
    await new Client(server, token).ok('listTasks', {
      headers: {
        'X-Request-Id': 'find-me',
        traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      },
    });
    await server.stop('SIGTERM');

    const lines = server.output().split('\n');
    const line = JSON.parse(lines.find((each) => each.includes('find-me')) ?? '') as unknown;
    expect(line).toMatchObject({ request_id: 'find-me', operation: 'listTasks', user: 'alice', status: 200 });
    const [trace_id, parent_id] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];
    expect(line).toMatchObject({ trace_id, parent_id });
    expect(server.output()).not.toContain(token);
    expect(server.output()).toMatch(/"msg":"shutdown requested"\}\n.*"msg":"shutdown complete"\}\n$/);
  });
});

describe('a server with a local key', () => {
  it('accepts tokens of the command at an address that it prints, and prints no token where its output may be a log', async () => {
    const server = await startProcess({ ...database.env, HOST: '0.0.0.0' });

    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const token = await outputOf(
      ['token', '--user', 'alice', '--name', 'Alice', '--ttl', '1h'],
      database.env,
    );
    const alice = new Client(server, token.trim());
    const { id, user_id: owner } = await createTask(alice);
    const { body: comment } = await alice.ok('createComment', { id, body: { body: 'Hi' } });
    expect([owner, comment.author_name]).toEqual(['alice', 'Alice']);
    // Every token begins with these letters, so none is printed.
    expect(server.output()).not.toContain('eyJ');
  });

  it('prints a valid token to a terminal', async (test) => {
    test.skip(
      versionOf('script') === undefined,
      'script is missing, so there is no terminal. Install it (Debian: apt-get install bsdutils).',
    );
    const server = await startOnTerminal(database.env);
    const token = (): string | undefined => /Bearer (\S+?)'/.exec(server.output())?.[1];
    await expect.poll(token).toBeDefined();

    expect((await new Client(server, token()).ok('getMe')).body.id).toBe('me');
  });
});

it.each([
  ['start', 'SIGTERM'],
  ['run mock -- --port 0', 'SIGINT'],
] as const)('npm %s closes its port and leaves no process when npm receives %s', async (args, signal) => {
  const server = await startByNpm(args.split(' '), database.env);
  const processes = await descendantsOf(server.pid);
  expect(processes.length).toBeGreaterThan(0);

  await server.stop(signal);

  await expect.poll(async () => Promise.all(processes.map(hasEnded))).not.toContain(false);
  await expect(fetch(server.url)).rejects.toThrow('fetch failed');
});

async function descendantsOf(pid: number): Promise<number[]> {
  const children = await childrenOf(pid);
  return [...children, ...(await Promise.all(children.map(descendantsOf))).flat()];
}

// Only Linux lists the children of a process.
it.runIf(process.platform === 'linux').each(['SIGKILL', 'SIGTERM'] as const)(
  'the render processes end with their server, even on %s',
  async (signal) => {
    const server = await startProcess(withSecret);
    await (await server.as('alice')).ok('renderPng', { body: { data: [] } });
    const processes = await childrenOf(server.pid);

    await server.stop(signal);

    expect(processes).toHaveLength(1);
    await expect.poll(async () => (await Promise.all(processes.map(hasEnded))).every(Boolean)).toBe(true);
  },
);

const cli = join(import.meta.dirname, '../../../server/src/cli.ts');

it('a server whose standard output is on a full disk answers requests, and ends on SIGTERM', async () => {
  const port = await freePort();
  const full = openSync('/dev/full', 'w');
  const server = spawn(process.execPath, [cli, 'serve'], {
    stdio: ['ignore', full, 'ignore'],
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: compileCache,
      PORT: String(port),
      JWT_SECRET: secret,
      ...database.env,
    },
  });
  closeSync(full);
  onTestFinished(() => {
    server.kill('SIGKILL');
  });
  const status = (): Promise<number> =>
    fetch(`http://127.0.0.1:${port}/healthz`).then(
      (response) => response.status,
      () => 0,
    );
  await expect.poll(status).toBe(200);

  // Enough requests to make the server write its log several times.
  for (let i = 0; i < 300; i += 1) await fetch(`http://127.0.0.1:${port}/api/tasks?q=${'x'.repeat(500)}`);

  expect(await status()).toBe(200);
  const exited = once(server, 'exit');
  server.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
});
