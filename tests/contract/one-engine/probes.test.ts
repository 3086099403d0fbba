import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { databaseName, databaseUrl, run } from '../../support/postgres.ts';
import { engine, sharedServer, startTestServer } from '../../support/server.ts';
import { createTask } from '../../support/tasks.ts';

async function textOf(url: string, headers: Record<string, string> = {}): Promise<[number, string]> {
  const response = await fetch(url, { headers });
  return [response.status, await response.text()];
}

it('/healthz returns 200 without a token', async () => {
  const { url } = sharedServer();

  expect(await textOf(`${url}/healthz`)).toEqual([200, 'alive\n']);
});

describe('/readyz', () => {
  it('returns 200 when the server is ready', async () => {
    const { url } = sharedServer();

    expect(await textOf(`${url}/readyz`)).toEqual([200, 'ready\n']);
  });

  it('returns 503 during a shutdown, while requests are still accepted', async () => {
    const server = await startTestServer({ env: { SHUTDOWN_DELAY: '1500ms' } });
    const alice = await server.as('alice');

    const closing = server.close();

    expect(await textOf(`${server.url}/readyz`)).toEqual([503, 'The server is shutting down.\n']);
    const { headers } = await alice.ok('listTasks');
    expect(headers.get('Connection')).toBe('close');
    await closing;
  });

  it.runIf(engine === 'postgres')(
    'returns 503 while the database is gone, and logs the reason once',
    async () => {
      const log: string[] = [];
      const server = await startTestServer({ log });
      const url = server.env['DATABASE_URL'] ?? '';
      await run(databaseUrl(url, 'postgres'), `drop database ${databaseName(url)} with (force)`);

      const first = await textOf(`${server.url}/readyz`);
      await setTimeout(1100);
      const second = await textOf(`${server.url}/readyz`);

      for (const answer of [first, second])
        expect(answer).toEqual([503, 'The database cannot be reached.\n']);
      expect(await textOf(`${server.url}/healthz`)).toEqual([200, 'alive\n']);
      const lines = log.filter((line) => line.includes('the server is not ready'));
      expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
        expect.objectContaining({
          level: 40,
          reason: expect.stringMatching(
            /^The database cannot be reached\.: .* database ".*" does not exist$/,
          ),
        }),
      ]);
    },
  );

  it('returns 503 until the keys at JWKS_URL could be fetched once', async () => {
    const JWKS_URL = `http://127.0.0.1:${await freePort()}/keys`;

    const { url } = await startTestServer({ env: { JWT_SECRET: '', JWKS_URL } });

    expect(await textOf(`${url}/readyz`)).toEqual([503, 'The keys at JWKS_URL cannot be fetched.\n']);
  });

  it.runIf(engine === 'postgres')('returns 503 while the database lacks a migration', async () => {
    const server = await startTestServer();
    await run(server.env['DATABASE_URL'] ?? '', 'delete from kysely_migration');

    const text = 'The database lacks migrations that this server needs.\n';
    expect(await textOf(`${server.url}/readyz`)).toEqual([503, text]);
  });
});

it('/metrics counts requests by operation and status, without user or task', async () => {
  const server = await startTestServer();
  const alice = await server.as('alice');
  const task = await createTask(alice);
  await alice.ok('getTask', { id: task.id });
  await alice.fails('getTask', 404, { id: 'none' });

  const [status, text] = await textOf(`${server.url}/metrics`);

  expect(status).toBe(200);
  expect(text).toContain('http_requests_total{operation="getTask",status="200"} 1');
  expect(text).toContain('http_requests_total{operation="getTask",status="404"} 1');
  expect(text).not.toMatch(new RegExp(`alice|${task.id}`));
});
