import { afterAll, beforeAll, describe, expect, vi } from 'vitest';
import type { OperationId, Schemas } from '../../../server/src/operation.ts';
import { operations } from '../../../server/src/operations.ts';
import type { Client } from '../../support/client.ts';
import { databaseName, run, runConnection } from '../../support/postgres.ts';
import { operationIds, requests, unknownId } from '../../support/requests.ts';
import { engine, startTestServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';
import { createTask } from '../../support/tasks.ts';

const onDatabase = operationIds.filter((operation) => !/Viz|render|getMe/.test(operation));

describe.runIf(engine === 'postgres')('while the database is gone', () => {
  let alice: Client;

  beforeAll(async () => {
    const server = await startTestServer();
    alice = await server.as('alice');
    const url = server.env['DATABASE_URL'] ?? '';
    await run(new URL('/postgres', url).href, `drop database ${databaseName(url)} with (force)`);
  });

  describe.each(onDatabase)('%s', (operation) => {
    spec(operation, 503, 'is refused with Retry-After and nothing of what the driver reports', async () => {
      const { body, headers } = await alice.fails(operation, 503, requests[operation]);

      expect(body).toMatchObject({
        code: 'Overloaded',
        detail:
          'The database accepts no connection at the moment. Nothing was done. Try again after the time in Retry-After.',
      });
      expect(headers.get('Retry-After')).toBe('1');
    });
  });
});

describe.runIf(engine === 'postgres')('while the database has lost its tables', () => {
  let alice: Client;

  beforeAll(async () => {
    const server = await startTestServer();
    alice = await server.as('alice');
    await run(server.env['DATABASE_URL'] ?? '', 'alter schema public rename to lost');
  });

  describe.each(onDatabase)('%s', (operation) => {
    spec(operation, 500, 'fails with "Query error" and nothing of what the driver reports', async () => {
      const { body } = await alice.fails(operation, 500, requests[operation]);

      expect(body).toMatchObject({
        code: 'Query error',
        detail: 'The database refused a statement. Tell the operator and name the request_id.',
      });
    });
  });
});

describe.runIf(engine === 'postgres')('when connections to the database are ended, a request', () => {
  spec(
    'createComment',
    503,
    'is refused, also in a transaction, because Postgres reports that it did nothing',
    async () => {
      const log: string[] = [];
      const server = await startTestServer({ log });
      const alice = await server.as('alice');
      const task = await createTask(alice);

      await runConnection(server.env['DATABASE_URL'] ?? '', async (connection) => {
        for (const headers of [{}, { 'Idempotency-Key': 'cut' }]) {
          await connection.query('begin; lock table comments in share mode');
          const waiting = alice.fails('createComment', 503, { id: task.id, body: { body: 'x' }, headers });
          await connection.waitUntilSomeoneWaits();
          await connection.cutServers();
          expect((await waiting).body.detail).toContain('Nothing was done.');
          await connection.query('rollback');
        }
      });

      expect((await alice.ok('listComments', { id: task.id })).body).toEqual([]);
      await alice.ok('createComment', {
        id: task.id,
        body: { body: 'x' },
        headers: { 'Idempotency-Key': 'cut' },
      });
      const outages = log.filter((line) => line.includes('the database fails'));
      expect(outages).toHaveLength(1);
      expect(outages[0]).not.toContain('stack');
    },
  );

  spec('getTask', 503, 'is refused if it was in flight, and the next one succeeds at once', async () => {
    const server = await startTestServer({ env: { DATABASE_POOL_SIZE: '12' } });
    const alice = await server.as('alice');
    const task = await createTask(alice);
    await alice.ok('getTask', { id: task.id });

    await runConnection(server.env['DATABASE_URL'] ?? '', async (connection) => {
      await connection.query('begin; lock table tasks in access exclusive mode');
      const waiting = [1, 2, 3].map(() => alice.fails('getTask', 503, { id: task.id }));
      await connection.waitUntilSomeoneWaits(3);
      await connection.cutServers();
      await Promise.all(waiting);
      await connection.query('rollback');
    });

    expect((await alice.ok('getTask', { id: task.id })).body.task).toEqual(task);
  });

  spec(
    'getTask',
    200,
    'succeeds again after another server has changed a table under a prepared statement',
    async () => {
      const server = await startTestServer({ env: { DATABASE_POOL_SIZE: '1' } });
      const alice = await server.as('alice');
      const task = await createTask(alice);
      await alice.ok('getTask', { id: task.id });
      await runConnection(server.env['DATABASE_URL'] ?? '', (connection) =>
        connection.query('alter table tasks alter column title type varchar'),
      );

      await alice.send('getTask', { id: task.id });

      expect((await alice.ok('getTask', { id: task.id })).body.task).toEqual(task);
    },
  );
});

describe.runIf(engine === 'postgres')('when the database refuses a statement, a request', () => {
  spec('getTask', 500, 'fails with "Query error" and without the statement', async () => {
    const server = await startTestServer();
    await runConnection(server.env['DATABASE_URL'] ?? '', (connection) =>
      connection.query('alter table tasks rename column title to name'),
    );

    const { body } = await (await server.as('alice')).fails('getTask', 500, { id: unknownId });

    expect(body).toMatchObject({ code: 'Query error', error: 'Query error' });
    expect(JSON.stringify(body)).not.toMatch(/select|column|tasks/i);
  });

  spec('createTask', 500, 'fails after the statement timeout, and changes nothing', async () => {
    const server = await startTestServer({ changes: { database: { statementTimeoutMs: 200 } } });
    const alice = await server.as('alice');

    await runConnection(server.env['DATABASE_URL'] ?? '', async (connection) => {
      await connection.query('begin; lock table tasks in share mode');
      const { body } = await alice.fails('createTask', 500, { body: { title: 'x' } });
      expect(body.code).toBe('Database error');
      await connection.query('rollback');
    });

    expect((await alice.ok('listTasks')).body.count).toBe(0);
  });
});

const codes = {
  listTasks: 'Failed to list tasks',
  countTasks: 'Failed to list tasks',
  createTask: 'Failed to create task',
  getTask: 'Failed to get task',
  updateTask: 'Failed to update task',
  deleteTask: 'Failed to delete task',
  assignTask: 'Failed to assign task',
  batchTasks: 'Failed to change tasks',
  listComments: 'Failed to list comments',
  createComment: 'Failed to create comment',
  updateComment: 'Failed to update comment',
  deleteComment: 'Failed to delete comment',
  listAuditLogs: 'Failed to list audit logs',
  getMe: 'Server Error',
  getVizStatus: 'RENDER_ERROR',
  getAgent: 'Server Error',
} satisfies Partial<Record<OperationId, Schemas['Problem']['code']>>;
const failing = Object.keys(codes) as (keyof typeof codes)[];

describe('when a handler fails unexpectedly', () => {
  let alice: Client;

  beforeAll(async () => {
    for (const operation of failing) {
      vi.spyOn(operations[operation], 'handle').mockRejectedValue(
        new Error('the handler at 127.0.0.1 is broken'),
      );
    }
    alice = await (await startTestServer()).as('alice');
  });

  afterAll(() => {
    vi.restoreAllMocks();
  });

  describe.each(failing)('%s', (operation) => {
    spec(operation, 500, `fails with "${codes[operation]}" and without the reason`, async () => {
      const { body } = await alice.fails(operation, 500, requests[operation]);

      expect(body).toMatchObject({ code: codes[operation], error: codes[operation] });
      expect(JSON.stringify(body)).not.toMatch(/127\.0\.0\.1|broken/);
    });
  });
});
