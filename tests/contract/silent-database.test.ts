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

    afterAll(async () => {
      line.close();
      await database.drop();
    });

    spec('listTasks', 500, 'fails after its timeout, and the next one succeeds afterwards', async () => {
      line.silence();

      const { body } = await alice.fails('listTasks', 500);

      expect(body.code).toBe('Database error');
      line.mend();
      await alice.ok('listTasks');
    });

    spec('getTask', 500, 'fails after its timeout, on each connection of the pool', async () => {
      const task = await createTask(alice);
      await Promise.all([alice, bob].map((user) => user.ok('listTasks')));
      line.silence();

      const answers = await Promise.all(
        [alice, bob].map((user) => user.fails('getTask', 500, { id: task.id })),
      );

      expect(answers.map(({ body }) => body.code)).toEqual(Array(2).fill('Database error'));
      line.mendForNewcomers();
      await alice.ok('getTask', { id: task.id });
      line.mend();
    });

    spec('createTask', 500, 'does not also wait for the end of its transaction', async () => {
      await alice.ok('listTasks');
      line.silence();

      const { body } = await alice.fails('createTask', 500, {
        body: { title: 'x' },
        headers: { 'Idempotency-Key': 'silent' },
      });

      expect(body.code).toBe('Database error');
      line.mend();
      await alice.ok('createTask', { body: { title: 'x' }, headers: { 'Idempotency-Key': 'silent' } });
    });
  },
);
