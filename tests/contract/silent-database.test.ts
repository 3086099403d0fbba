import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { Client } from '../support/client.ts';
import { lineTo, type Line } from '../support/database-line.ts';
import { createDatabase, engine, startTestServer, type TestDatabase } from '../support/server.ts';
import { spec } from '../support/spec.ts';
import { createTask } from '../support/tasks.ts';

describe.runIf(engine === 'postgres')(
  'while the database accepts connections but does not respond, a request',
  () => {
    let database: TestDatabase;
    let line: Line;
    let alice: Client;
    let bob: Client;

    beforeAll(async () => {
      database = await createDatabase();
      line = await lineTo(database.env['DATABASE_URL'] ?? '');
      const server = await startTestServer({
        sharing: database,
        env: {
          DATABASE_STATEMENT_TIMEOUT_MS: '1500',
          DATABASE_URL: line.url,
          DATABASE_POOL_SIZE: '2',
        },
        changes: { database: { poolWaitMs: 500 } },
      });
      [alice, bob] = [await server.as('alice'), await server.as('bob')];
      await alice.ok('listTasks');
    });

    afterAll(() => {
      line.close();
    });

    spec('listTasks', 503, 'is refused after its timeout, and the next one succeeds afterwards', async () => {
      line.silence();

      const { body } = await alice.fails('listTasks', 503);

      expect(body.detail).toBe(
        'The database has not answered. Send the same request again after the time in Retry-After.',
      );
      line.mend();
      await alice.ok('listTasks');
    });

    spec('getTask', 503, 'is refused after its timeout, on each connection of the pool', async () => {
      const task = await createTask(alice);
      await Promise.all([alice, bob].map((user) => user.ok('listTasks')));
      line.silence();

      await Promise.all([alice, bob].map((user) => user.fails('getTask', 503, { id: task.id })));

      line.mendForNewcomers();
      await alice.ok('getTask', { id: task.id });
      line.mend();
    });

    spec('createTask', 503, 'with a key is refused, and its repetition creates one task', async () => {
      const request = { body: { title: 'x' }, headers: { 'Idempotency-Key': 'silent' } };
      await alice.ok('listTasks');
      line.silence();

      await alice.fails('createTask', 503, request);

      line.mend();
      await alice.ok('createTask', request);
    });

    spec('createTask', 500, 'without a key fails, because it may have been done', async () => {
      await alice.ok('listTasks');
      line.silence();

      const { body } = await alice.fails('createTask', 500, { body: { title: 'x' } });

      expect(body.code).toBe('Database error');
      line.mend();
      await alice.ok('listTasks');
    });
  },
);
