import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import { runCli, startByNpm, startProcess } from '../support/process.ts';
import { sendUnfinished } from '../support/raw.ts';
import { createDatabase, engine, type TestDatabase } from '../support/server.ts';
import { createTask } from '../support/tasks.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase();
});

afterAll(async () => {
  await database.drop();
});

describe('the server as a process', () => {
  it('prints its address and a token that works, and keeps the data over a restart', async () => {
    const first = await startProcess(database.env);
    const me = new Client(first.url, first.token);
    const task = await createTask(me, { title: 'Still here' });
    expect(await first.stop('SIGTERM')).toBe(0);

    const second = await startProcess(database.env);

    const { body } = await new Client(second.url, first.token).ok('getTask', { id: task.id });
    expect(body.task).toEqual(task);
    expect(await second.stop('SIGINT')).toBe(0);
  });

  it.each(['npm', 'group'] as const)(
    'ends whole when `npm start` is told to by its %s',
    async (signalled) => {
      const server = await startByNpm({ ...database.env, SHUTDOWN_DELAY_MS: '1500' }, signalled);
      const ended = server.stop('SIGTERM');

      // Still there, as it takes requests for a while.
      expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
      expect(await ended).toBe(0);
      await expect(fetch(`${server.url}/healthz`)).rejects.toThrow('fetch failed');
    },
  );

  it('loses nothing that it has acknowledged when it is killed', async () => {
    const first = await startProcess(database.env);
    const me = new Client(first.url, first.token);
    const tasks = await Promise.all(
      Array.from({ length: 10 }, () => createTask(me, { workspace_id: 'killed' })),
    );
    await first.stop('SIGKILL');

    const second = await startProcess(database.env);

    const { body } = await new Client(second.url, second.token).ok('listTasks', {
      query: { workspace_id: 'killed' },
    });
    expect(body.tasks.map(({ id }) => id).sort()).toEqual(tasks.map(({ id }) => id).sort());
    await second.stop('SIGTERM');
  });

  it('answers what is in flight when it is told to stop, and does not wait for who never ends', async () => {
    const server = await startProcess({
      ...database.env,
      SHUTDOWN_DELAY_MS: '3000',
      SHUTDOWN_TIMEOUT_MS: '1000',
    });
    const me = new Client(server.url, server.token);
    const stuck = await sendUnfinished(
      server.url,
      `POST /api/tasks HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.token ?? ''}`,
    );
    stuck.on('error', () => undefined);
    const answers: number[] = [];
    // As a balancer does: it sends no more once the server says that it is not ready.
    const busy = (async () => {
      while ((await fetch(`${server.url}/readyz`)).ok) answers.push((await me.send('listTasks')).status);
    })();
    await expect.poll(() => answers.length).toBeGreaterThan(5);

    const code = await server.stop('SIGTERM');

    await busy;
    expect(code).toBe(0);
    expect(new Set(answers)).toEqual(new Set([200]));
  });

  it('logs each request as a line of JSON with its place in a trace, without the token', async () => {
    const server = await startProcess(database.env);
    await new Client(server.url, server.token).ok('listTasks', {
      headers: {
        'X-Request-Id': 'find-me',
        traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      },
    });
    await server.stop('SIGTERM');

    const [, afterStart = ''] = server.output().split('\n\n{');
    const line = JSON.parse(`{${afterStart.split('\n')[0] ?? ''}`) as unknown;
    expect(line).toMatchObject({ request_id: 'find-me', operation: 'listTasks', user: 'me', status: 200 });
    expect(line).toMatchObject({
      trace_id: '0af7651916cd43dd8448eb211c80319c',
      parent_id: 'b7ad6b7169203331',
    });
    expect(afterStart).not.toContain(server.token);
  });

  it('logs that shutdown was requested, and that it is complete', async () => {
    const server = await startProcess(database.env);
    await server.stop('SIGTERM');

    expect(server.output()).toMatch(/"msg":"shutdown requested"\}\n.*"msg":"shutdown complete"\}\n$/);
  });
});

describe('a server that others can reach and whose output is collected', () => {
  it('prints an address that can be opened, and no token', async () => {
    const server = await startProcess({ ...database.env, HOST: '0.0.0.0' });

    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect(server.token).toBeUndefined();
    expect(server.output()).toContain('\nGet a token with: node server/src/cli.ts token --user ID\n');
    await server.stop('SIGTERM');
  });
});

describe.runIf(engine === 'pglite')('the data folder', () => {
  it('holds a local key that only its owner can read', async () => {
    const server = await startProcess(database.env);
    await server.stop('SIGTERM');

    const { mode } = await stat(join(database.env['DATA_DIR'] ?? '', 'token.key'));

    expect((mode & 0o777).toString(8)).toBe('600');
  });

  it('is used by one process at a time, and the second is told so in a sentence', async () => {
    const first = await startProcess(database.env);

    const { code, output } = await runCli(['serve'], { ...database.env, PORT: '0' });

    expect(code).toBe(1);
    expect(output).toMatch(
      /^Another process uses the data folder \S+\. Stop it, or set DATA_DIR to another folder\.$/m,
    );
    await first.stop('SIGTERM');
  });
});
