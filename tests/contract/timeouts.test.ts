import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openPostgres } from '../../server/src/db/postgres/postgres.ts';
import { testConfig } from '../support/config.ts';
import { runConnection } from '../support/postgres.ts';
import { createDatabase, engine, startTestServer } from '../support/server.ts';
import { spec } from '../support/spec.ts';
import { auditLog, createTask } from '../support/tasks.ts';

describe.runIf(engine === 'postgres')('while another transaction locks the task, a request', () => {
  spec('updateTask', 503, 'is refused with Retry-After, and changes nothing', async () => {
    const server = await startTestServer({ changes: { database: { lockTimeoutMs: 200 } } });
    const alice = await server.as('alice');
    const { id } = await createTask(alice);
    const change = { id, body: { title: 'Changed' } };

    const { body, headers } = await runConnection(server.env['DATABASE_URL'] ?? '', async (connection) => {
      await connection.query('begin; select from tasks for update');
      const refusal = await alice.fails('updateTask', 503, change);
      await connection.query('rollback');
      return refusal;
    });

    expect(body.code).toBe('Overloaded');
    expect(body.detail).toContain('Other requests have been changing the same data');
    expect(headers.get('Retry-After')).toBe('1');
    expect(await auditLog(alice, id)).toHaveLength(1);
    await alice.ok('updateTask', change);
  });

  spec('createTask', 503, 'is refused, and its Idempotency-Key is not stored', async () => {
    const server = await startTestServer({ changes: { database: { lockTimeoutMs: 200 } } });
    const alice = await server.as('alice');
    const request = { body: { title: 'Once' }, headers: { 'Idempotency-Key': 'key' } };

    await runConnection(server.env['DATABASE_URL'] ?? '', async (connection) => {
      await connection.query('begin; lock table tasks in share mode');
      await alice.fails('createTask', 503, request);
      await connection.query('rollback');
    });

    expect((await alice.ok('createTask', request)).headers.get('Idempotency-Replayed')).toBeNull();
    expect((await alice.ok('listTasks')).body.count).toBe(1);
  });
});

describe.runIf(engine === 'postgres')(
  'while another transaction locks the counters of one user, a request',
  () => {
    spec('createTask', 201, 'of another user succeeds', async () => {
      const server = await startTestServer({
        env: { DATABASE_POOL_SIZE: '12' },
        changes: { database: { lockTimeoutMs: 300 } },
      });
      const [alice, bob] = [await server.as('alice'), await server.as('bob')];
      const request = { body: { title: 'Another' } };
      await Promise.all(Array.from({ length: 60 }, () => createTask(alice)));

      await runConnection(server.env['DATABASE_URL'] ?? '', async (connection) => {
        await connection.query(`begin; select from task_counts where user_id = 'alice' for update`);
        const refused = [1, 2, 3].map(() => alice.fails('createTask', 503, request));
        await connection.waitUntilSomeoneWaits(3);
        await Promise.all([...refused, bob.ok('createTask', request)]);
        await connection.query('rollback');
      });

      expect((await bob.ok('listTasks')).body.count).toBe(1);
      expect((await alice.ok('listTasks')).body.count).toBe(60);
    });
  },
);

describe.runIf(engine === 'postgres')(
  'while reads wait for a lock longer than the lock timeout, a request',
  () => {
    spec('getTask', 503, 'is refused, even if it waits for another read', async () => {
      const server = await startTestServer({
        changes: { database: { lockTimeoutMs: 700, statementTimeoutMs: 1400 } },
      });
      const alice = await server.as('alice');
      const { id } = await createTask(alice);
      await alice.ok('getTask', { id });

      await runConnection(server.env['DATABASE_URL'] ?? '', async (connection) => {
        await connection.query('begin; lock table tasks in access exclusive mode');
        const reads = Array.from({ length: 10 }, () => alice.fails('getTask', 503, { id }));
        for (const { headers } of await Promise.all(reads)) expect(headers.get('Retry-After')).toBe('1');
        await connection.query('rollback');
      });

      await alice.ok('getTask', { id });
    });
  },
);

describe.runIf(engine === 'postgres')('an idle transaction', () => {
  it('is ended by the database, which frees its locks; the next one has a new connection', async () => {
    const own = await createDatabase();
    const { database } = testConfig({
      dataDir: own.env['DATA_DIR'] ?? '',
      env: { ...own.env, DATABASE_POOL_SIZE: '1' },
      changes: { database: { idleTransactionTimeoutMs: 200 } },
    });
    const { db, close } = openPostgres(database.url ?? '', database);

    const idle = db.transaction().execute(async (transaction) => {
      await transaction.selectFrom('tasks').select('id').forUpdate().execute();
      await setTimeout(600);
      await transaction.selectFrom('tasks').select('id').execute();
    });

    await expect(idle).rejects.toMatchObject({ code: 'Database error' });
    expect(await db.selectFrom('tasks').select('id').execute()).toEqual([]);
    await close();
  });
});
