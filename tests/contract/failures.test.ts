import { generateKeyPair, SignJWT } from 'jose';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { OperationId, Schemas } from '../../server/src/operations.ts';
import { handlers } from '../../server/src/handlers.ts';
import { Client, type Input } from '../support/client.ts';
import { databaseName, run, runConnection } from '../support/postgres.ts';
import { holdRequest } from '../support/raw.ts';
import { engine, startTestServer, type TestServer } from '../support/server.ts';
import { spec } from '../support/spec.ts';
import { createTask } from '../support/tasks.ts';
import { tokenFor } from '../support/tokens.ts';

const id = '01932c07-a5a8-7d51-8a62-3a4b5c6d7e8f';

/** For each operation that uses the database, a request that reaches it. */
const requests: Partial<Record<OperationId, Input>> = {
  listTasks: {},
  createTask: { body: { title: 'x' } },
  getTask: { id },
  updateTask: { id, body: { title: 'x' } },
  deleteTask: { id },
  assignTask: { id, body: { assignee_id: 'bob' } },
  listComments: { id },
  createComment: { id, body: { body: 'x' } },
  listAuditLogs: { id },
};

const operations = Object.entries(requests) as [keyof typeof handlers, Input][];

describe.runIf(engine === 'postgres')('while the database is gone', () => {
  let alice: Client;

  beforeAll(async () => {
    const server = await startTestServer();
    alice = await server.as('alice');
    const url = server.env['DATABASE_URL'] ?? '';
    await run(new URL('/postgres', url).href, `drop database ${databaseName(url)} with (force)`);
  });

  describe.each(operations)('%s', (operation, input) => {
    spec(operation, 500, 'answers "Database error" without a word of the driver', async () => {
      const { body } = await alice.fails(operation, 500, input);

      expect(body).toMatchObject({
        code: 'Database error',
        error: 'Database error',
        detail: 'The database cannot be reached or has failed. Try again later.',
      });
    });
  });
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

describe('while the server has all the requests it can take', () => {
  let server: TestServer;
  let alice: Client;

  beforeAll(async () => {
    server = await startTestServer({ env: { MAX_REQUESTS: '1' } });
    alice = await server.as('alice');
    const authorization = `Authorization: Bearer ${await tokenFor('alice')}`;
    await holdRequest(server.url, `POST /api/tasks HTTP/1.1\r\nHost: x\r\n${authorization}`);
    await untilOverloaded(alice);
  });

  describe.each(Object.keys(handlers) as OperationId[])('%s', (operation) => {
    spec(operation, 503, 'is refused at once, with the time to try again', async () => {
      const { body, headers } = await alice.fails(operation, 503, { id });

      expect(body.code).toBe('Overloaded');
      expect(headers.get('Retry-After')).toBe('1');
    });
  });
});

it('takes requests again once others have been answered', async () => {
  const server = await startTestServer({ env: { MAX_REQUESTS: '1' } });
  const alice = await server.as('alice');
  const authorization = `Authorization: Bearer ${await tokenFor('alice')}`;
  const held = await holdRequest(server.url, `POST /api/tasks HTTP/1.1\r\nHost: x\r\n${authorization}`);
  await untilOverloaded(alice);

  held.finish();

  await vi.waitFor(async () => alice.ok('listTasks'));
  await createTask(alice);
});

/** The held request counts from the moment its head has arrived. */
async function untilOverloaded(client: Client): Promise<void> {
  await vi.waitFor(async () => client.fails('listTasks', 503));
}
