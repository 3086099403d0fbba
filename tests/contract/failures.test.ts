import { generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OperationId, Schemas } from '../../server/src/operations.ts';
import { handlers } from '../../server/src/handlers.ts';
import { Client, type Input } from '../support/client.ts';
import { databaseName, run, runConnection } from '../support/postgres.ts';
import { sendRaw, sendUnfinished } from '../support/raw.ts';
import { engine, startTestServer, type TestServer } from '../support/server.ts';
import { spec } from '../support/spec.ts';
import { createTask } from '../support/tasks.ts';
import { tokenFor } from '../support/tokens.ts';

const id = '01932c07-a5a8-7d51-8a62-3a4b5c6d7e8f';

/** For each operation a request that is valid. */
const requests: Record<OperationId, Input> = {
  listTasks: {},
  createTask: { body: { title: 'x' } },
  getTask: { id },
  updateTask: { id, body: { title: 'x' } },
  deleteTask: { id },
  assignTask: { id, body: { assignee_id: 'bob' } },
  listComments: { id },
  createComment: { id, body: { body: 'x' } },
  listAuditLogs: { id },
  getVizStatus: {},
  renderSvg: { body: { data: [] } },
  renderPng: { body: { data: [] } },
  renderPdf: { body: { data: [] } },
  listAgents: {},
  createAgent: { body: { name: 'x' } },
  runAgent: { id, body: { input: 'x' } },
  getSession: { id },
  listMessages: { id },
};

const offered = Object.keys(handlers) as (keyof typeof handlers)[];
const onDatabase = offered.filter((operation) => !/Viz|render/.test(operation));

describe.runIf(engine === 'postgres')('while the database is gone', () => {
  let alice: Client;

  beforeAll(async () => {
    const server = await startTestServer();
    alice = await server.as('alice');
    const url = server.env['DATABASE_URL'] ?? '';
    await run(new URL('/postgres', url).href, `drop database ${databaseName(url)} with (force)`);
  });

  describe.each(onDatabase)('%s', (operation) => {
    spec(operation, 500, 'answers "Database error" without a word of the driver', async () => {
      const { body } = await alice.fails(operation, 500, requests[operation]);

      expect(body).toMatchObject({
        code: 'Database error',
        error: 'Database error',
        detail: 'The database cannot be reached or has failed. Try again later.',
      });
    });
  });
});

describe.runIf(engine === 'postgres')('when connections to the database are cut', () => {
  spec(
    'createComment',
    500,
    'answers "Database error", in a transaction too, and the server lives on',
    async () => {
      const server = await startTestServer();
      const alice = await server.as('alice');
      const task = await createTask(alice);

      await runConnection(server.env['DATABASE_URL'] ?? '', async (connection) => {
        for (const headers of [{}, { 'Idempotency-Key': 'cut' }]) {
          await connection.query('begin; lock table comments in share mode');
          const waiting = alice.fails('createComment', 500, { id: task.id, body: { body: 'x' }, headers });
          await connection.waitUntilSomeoneWaits();
          await connection.query(`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and application_name = 'worktable'`);
          expect((await waiting).body.code).toBe('Database error');
          await connection.query('rollback');
        }
      });

      expect((await alice.ok('listComments', { id: task.id })).body).toEqual([]);
      await alice.ok('createComment', {
        id: task.id,
        body: { body: 'x' },
        headers: { 'Idempotency-Key': 'cut' },
      });
    },
  );

  spec('listTasks', 503, 'is answered when no connection becomes free in time', async () => {
    const server = await startTestServer({ env: { DATABASE_POOL_SIZE: '1', DATABASE_POOL_WAIT_MS: '200' } });
    const held = await holdRequest(server);

    const { body } = await (await server.as('alice')).fails('listTasks', 503);

    expect(body.code).toBe('Overloaded');
    held.release();
    await held.released;
  });

  spec(
    'getTask',
    200,
    'works again after another server has changed a table under a prepared statement',
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

describe.runIf(engine === 'postgres')('when the database refuses a statement', () => {
  spec('getTask', 500, 'answers "Query error" without the statement', async () => {
    const server = await startTestServer();
    await runConnection(server.env['DATABASE_URL'] ?? '', (connection) =>
      connection.query('alter table tasks rename column title to name'),
    );

    const { body } = await (await server.as('alice')).fails('getTask', 500, { id });

    expect(body).toMatchObject({ code: 'Query error', error: 'Query error' });
    expect(JSON.stringify(body)).not.toMatch(/select|column|tasks/i);
  });

  spec('createTask', 500, 'gives up a statement that takes too long, and nothing of it stays', async () => {
    const server = await startTestServer({ env: { DATABASE_STATEMENT_TIMEOUT_MS: '200' } });
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

describe('when the server fails in a way that nobody foresaw', () => {
  spec('listTasks', 500, 'answers with the code of the operation', async () => {
    const server = await startTestServer({ env: { JWT_SECRET: '', JWKS_URL: 'http://127.0.0.1:1/keys' } });

    const { privateKey } = await generateKeyPair('ES256');
    const token = await new SignJWT({ sub: 'alice' }).setProtectedHeader({ alg: 'ES256' }).sign(privateKey);

    const { body } = await new Client(server.url, token).fails('listTasks', 500);

    const problem: Partial<Schemas['Problem']> = {
      code: 'Failed to list tasks',
      error: 'Failed to list tasks',
    };
    expect(body).toMatchObject(problem);
    expect(JSON.stringify(body)).not.toMatch(/127\.0\.0\.1|ECONN/);
  });
});

describe.runIf(engine === 'postgres')('while the server works on all the requests it can take', () => {
  let alice: Client;
  let release: () => void;
  let released: Promise<void>;

  beforeAll(async () => {
    const server = await startTestServer({ env: { MAX_REQUESTS: '1' } });
    alice = await server.as('alice');
    const held = await holdRequest(server);
    ({ release, released } = held);
  });

  afterAll(async () => {
    release();
    await released;
    await alice.ok('listTasks');
  });

  describe.each(offered)('%s', (operation) => {
    spec(operation, 503, 'is refused at once, with the time to try again', async () => {
      const { body, headers } = await alice.fails(operation, 503, requests[operation]);

      expect(body.code).toBe('Overloaded');
      expect(headers.get('Retry-After')).toBe('1');
    });
  });

  it('is taken up again by the requests that come later', async () => {
    const server = await startTestServer({ env: { MAX_REQUESTS: '1' } });
    const bob = await server.as('bob');
    const held = await holdRequest(server);
    await bob.fails('listTasks', 503);

    held.release();
    await held.released;

    await createTask(bob);
  });
});

describe('a client that sends its body slowly', () => {
  it('takes nothing from the others, however many connections it opens', async () => {
    const server = await startTestServer({ env: { MAX_REQUESTS: '1' } });
    const authorization = `Authorization: Bearer ${await tokenFor('mallory')}`;
    const sockets = await Promise.all(
      Array.from({ length: 20 }, () =>
        sendUnfinished(server.url, `POST /api/tasks HTTP/1.1\r\nHost: x\r\n${authorization}`),
      ),
    );

    await createTask(await server.as('alice'));

    for (const socket of sockets) socket.destroy();
  });

  it('is told that its time is over', async () => {
    const server = await startTestServer({ env: { REQUEST_TIMEOUT_MS: '1000' } });
    const authorization = `Authorization: Bearer ${await tokenFor('mallory')}`;

    const answer = await sendRaw(
      server.url,
      `POST /api/tasks HTTP/1.1\r\nHost: x\r\n${authorization}\r\nContent-Length: 100\r\n\r\n{`,
    );

    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toContain('"code":"Request timeout"');
  });
});

/** Keeps one request of the server waiting for a lock until it is released. */
async function holdRequest(server: TestServer): Promise<{ release: () => void; released: Promise<void> }> {
  const client = await server.as('holder');
  const { promise: mayEnd, resolve: release } = Promise.withResolvers<undefined>();
  const { promise: holds, resolve: nowHolds } = Promise.withResolvers<undefined>();
  const released = runConnection(server.env['DATABASE_URL'] ?? '', async (connection) => {
    await connection.query('begin; lock table tasks in share mode');
    const waiting = client.ok('createTask', { body: { title: 'Waits' } });
    await connection.waitUntilSomeoneWaits();
    nowHolds(undefined);
    await mayEnd;
    await connection.query('commit');
    await waiting;
  });
  await Promise.race([holds, released]);
  return {
    release: () => {
      release(undefined);
    },
    released,
  };
}
