import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { databaseName, run, runConnection } from '../support/postgres.ts';
import { engine, startTestServer } from '../support/server.ts';
import { createTask } from '../support/tasks.ts';

async function textOf(url: string, headers: Record<string, string> = {}): Promise<[number, string]> {
  const response = await fetch(url, { headers });
  return [response.status, await response.text()];
}

describe('/healthz', () => {
  it('says that the process lives, to everyone', async () => {
    const { url } = await startTestServer();

    expect(await textOf(`${url}/healthz`)).toEqual([200, 'alive\n']);
  });

  it('answers HEAD and OPTIONS, and other methods with 405', async () => {
    const { url } = await startTestServer();
    const answers = await Promise.all(
      ['HEAD', 'OPTIONS', 'POST'].map((method) => fetch(`${url}/healthz`, { method })),
    );

    expect(answers.map(({ status }) => status)).toEqual([200, 204, 405]);
    expect(answers[2]?.headers.get('Allow')).toBe('GET, HEAD, OPTIONS');
  });
});

describe('/readyz', () => {
  it('says that requests can be sent here', async () => {
    const { url } = await startTestServer();

    expect(await textOf(`${url}/readyz`)).toEqual([200, 'ready\n']);
  });

  it('says no once the server is told to stop, while requests are still answered', async () => {
    const server = await startTestServer({ env: { SHUTDOWN_DELAY_MS: '1500' } });
    const alice = await server.as('alice');

    const closing = server.close();

    expect(await textOf(`${server.url}/readyz`)).toEqual([503, 'The server is about to stop.\n']);
    const { headers } = await alice.ok('listTasks');
    expect(headers.get('Connection')).toBe('close');
    await closing;
  });

  it.runIf(engine === 'postgres')(
    'says no while the database is gone, and the process still lives',
    async () => {
      const server = await startTestServer();
      const url = server.env['DATABASE_URL'] ?? '';
      await run(new URL('/postgres', url).href, `drop database ${databaseName(url)} with (force)`);

      expect(await textOf(`${server.url}/readyz`)).toEqual([503, 'The database cannot be reached.\n']);
      expect(await textOf(`${server.url}/healthz`)).toEqual([200, 'alive\n']);
    },
  );

  it.runIf(engine === 'postgres')('has its reason logged with the cause, once', async () => {
    const log: string[] = [];
    const server = await startTestServer({ log });
    const url = server.env['DATABASE_URL'] ?? '';
    await run(new URL('/postgres', url).href, `drop database ${databaseName(url)} with (force)`);

    await textOf(`${server.url}/readyz`);
    await setTimeout(1100);
    await textOf(`${server.url}/readyz`);

    const lines = log.filter((line) => line.includes('the server is not ready'));
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 40,
      err: { message: 'The database cannot be reached.', cause: { cause: { code: '3D000' } } },
    });
  });

  it.runIf(engine === 'postgres')('says no while the database lacks a migration', async () => {
    const server = await startTestServer();
    await runConnection(server.env['DATABASE_URL'] ?? '', (connection) =>
      connection.query('delete from kysely_migration'),
    );

    expect(await textOf(`${server.url}/readyz`)).toEqual([
      503,
      'The database lacks migrations of this server.\n',
    ]);
  });
});

describe('/metrics', () => {
  it('counts requests by operation and status, and names no user and no task', async () => {
    const server = await startTestServer();
    const alice = await server.as('alice');
    const task = await createTask(alice);
    await alice.ok('getTask', { id: task.id });
    await alice.fails('getTask', 404, { id: 'none' });

    const [status, text] = await textOf(`${server.url}/metrics`);

    expect(status).toBe(200);
    expect(text).toContain('http_request_duration_seconds_count{operation="getTask",status="200"} 1');
    expect(text).toContain('http_request_duration_seconds_count{operation="getTask",status="404"} 1');
    expect(text).not.toMatch(new RegExp(`alice|${task.id}`));
  });

  it('tells of requests in work, the queue of charts, painters, runs and memory', async () => {
    const server = await startTestServer();
    const alice = await server.as('alice');
    const { body: agent } = await alice.ok('createAgent', { body: { name: 'Planner', skills: ['tasks'] } });
    await alice.ok('runAgent', { id: agent.id, body: { input: 'list my tasks' } });

    const [, text] = await textOf(`${server.url}/metrics`);

    const lines = [
      'http_requests_in_flight 0',
      'chart_queue_length 0',
      'chart_workers 0',
      'chart_worker_exits_total 0',
    ];
    for (const line of [
      ...lines,
      'agent_runs_total{outcome="completed"} 1',
      'process_resident_memory_bytes',
    ]) {
      expect(text).toContain(`\n${line}`);
    }
    expect(text.includes('\ndatabase_connections ')).toBe(engine === 'postgres');
  });

  it('is only for who presents METRICS_TOKEN, where one is set', async () => {
    const { url } = await startTestServer({ env: { METRICS_TOKEN: 'watch' } });

    const answers = await Promise.all([
      textOf(`${url}/metrics`),
      textOf(`${url}/metrics`, { Authorization: 'Bearer wrong' }),
      textOf(`${url}/metrics`, { Authorization: 'Bearer watch' }),
    ]);

    expect(answers.map(([status]) => status)).toEqual([401, 401, 200]);
  });
});
