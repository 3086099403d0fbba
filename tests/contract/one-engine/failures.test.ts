import { afterAll, beforeAll, describe, expect, vi } from 'vitest';
import type { OperationId, Schemas } from '../../../server/src/contract/operation.ts';
import { operations } from '../../../server/src/contract/registry.ts';
import type { Client } from '../../support/client.ts';
import { whileLocked } from '../../support/locks.ts';
import { run } from '../../support/postgres.ts';
import { operationIds, requests } from '../../support/requests.ts';
import { engine, startTestServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';
import { createTask } from '../../support/tasks.ts';

const onDatabase = operationIds.filter((operation) => !/Viz|render|Chart$|getMe/.test(operation));

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
      expect(JSON.stringify(body)).not.toMatch(/select|column|relation/i);
    });
  });
});

describe.runIf(engine === 'postgres')('when connections to the database are ended, a request', () => {
  spec('createComment', 503, 'is refused, because Postgres reports that it did nothing', async () => {
    const log: string[] = [];
    const server = await startTestServer({ log });
    const alice = await server.as('alice');
    const { id } = await createTask(alice);
    const comment = { id, body: { body: 'x' } };
    const keyed = { ...comment, headers: { 'Idempotency-Key': 'cut' } };

    for (const request of [comment, keyed])
      await whileLocked(server, 'lock table comments in share mode', async (transaction) => {
        const waiting = alice.fails('createComment', 503, request);
        await transaction.waitUntilSomeoneWaits();
        await transaction.cutServers();
        expect((await waiting).body.detail).toContain('Nothing was done.');
      });

    expect((await alice.ok('listComments', { id })).body).toEqual([]);
    await alice.ok('createComment', keyed);
    const outages = log.filter((line) => line.includes('the database fails'));
    expect(outages).toHaveLength(1);
    expect(outages[0]).not.toContain('stack');
  });

  spec('getTask', 503, 'is refused if it was in flight, and the next one succeeds at once', async () => {
    const server = await startTestServer({ env: { DATABASE_POOL_SIZE: '12' } });
    const alice = await server.as('alice');
    const task = await createTask(alice);
    await alice.ok('getTask', { id: task.id });

    await whileLocked(server, 'lock table tasks in access exclusive mode', async (transaction) => {
      const waiting = [1, 2, 3].map(() => alice.fails('getTask', 503, { id: task.id }));
      // The three reads begin in one iteration of the event loop, so they share one statement.
      await transaction.waitUntilSomeoneWaits();
      await transaction.cutServers();
      await Promise.all(waiting);
    });

    expect((await alice.ok('getTask', { id: task.id })).body.task).toEqual(task);
  });
});

describe.runIf(engine === 'postgres')('when the database refuses a statement, a request', () => {
  spec('getTask', 200, 'succeeds again after a table was changed under its prepared statement', async () => {
    const server = await startTestServer({ env: { DATABASE_POOL_SIZE: '1' } });
    const alice = await server.as('alice');
    const task = await createTask(alice);
    await alice.ok('getTask', { id: task.id });
    await run(server.env['DATABASE_URL'] ?? '', 'alter table tasks alter column title type varchar');

    await alice.send('getTask', { id: task.id });

    expect((await alice.ok('getTask', { id: task.id })).body.task).toEqual(task);
  });

  spec('createTask', 500, 'fails after the statement timeout, and changes nothing', async () => {
    const server = await startTestServer({ changes: { database: { statementTimeoutMs: 200 } } });
    const alice = await server.as('alice');

    const { body } = await whileLocked(server, 'lock table tasks in share mode', () =>
      alice.fails('createTask', 500, { body: { title: 'x' } }),
    );

    expect(body.code).toBe('Database error');
    expect((await alice.ok('listTasks')).body.count).toBe(0);
  });

  spec('createTask', 503, 'may be repeated with its key after the end of a cluster node', async () => {
    const server = await startTestServer();
    const alice = await server.as('alice');
    // After the end of a node, the coordinator of a Citus cluster reports this internal error.
    const end = `language plpgsql as $$ begin raise exception using errcode = 'XX000'; end $$`;
    const trigger = 'create trigger ended before insert on tasks execute function ended()';
    await run(server.env['DATABASE_URL'] ?? '', `create function ended() returns trigger ${end}; ${trigger}`);
    const request = { body: { title: 'x' } };
    await alice.fails('createTask', 503, { ...request, headers: { 'Idempotency-Key': 'ended' } });
    expect((await alice.fails('createTask', 500, request)).body.code).toBe('Database error');
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
  linkChart: 'RENDER_ERROR',
  getLinkedChart: 'RENDER_ERROR',
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
