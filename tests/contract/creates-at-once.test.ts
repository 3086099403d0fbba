import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { Schemas } from '../../server/src/contract/operation.ts';
import { whileLocked } from '../support/locks.ts';
import { metricOf } from '../support/metrics.ts';
import { startRelay } from '../support/relay.ts';
import { createDatabase, engine, startTestServer, type TestServer } from '../support/server.ts';
import { auditLog } from '../support/tasks.ts';

interface Creation {
  readonly user: string;
  readonly title: string;
  readonly key?: string;
}

interface Answer {
  readonly status: number;
  readonly body: { readonly task?: Schemas['Task']; readonly code?: string };
}

/** Sends each request on a connection of its own, all in one iteration of the event loop that the server shares. */
async function createAtOnce(server: TestServer, creations: readonly Creation[]): Promise<Answer[]> {
  const { hostname, port } = new URL(server.url);
  const connections = await Promise.all(
    creations.map(async ({ user, title, key }) => {
      const socket = connect(Number(port), hostname);
      const head = `HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${await server.token(user)}\r\n`;
      // After this response, the server has the connection, and has verified the token.
      socket.write(`GET /api/me ${head}\r\n`);
      await once(socket, 'data');
      const body = JSON.stringify({ title });
      const lines = [
        `POST /api/tasks ${head}Content-Type: application/json`,
        `Content-Length: ${Buffer.byteLength(body)}`,
        ...(key === undefined ? [] : [`Idempotency-Key: ${key}`]),
        'Connection: close',
      ];
      return { socket, request: `${lines.join('\r\n')}\r\n\r\n${body}` };
    }),
  );
  return Promise.all(
    connections.map(async ({ socket, request }) => {
      socket.write(request);
      const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
      return { status: Number(head.split(' ')[1]), body: JSON.parse(body) as Answer['body'] };
    }),
  );
}

/** Repeats the creations until they share one statement, which depends on the speed of the machine. */
async function createInOneStatement(server: TestServer, creations: readonly Creation[]) {
  for (;;) {
    let inserts = 0;
    const onStatement = (message: unknown): void => {
      if (JSON.stringify(message).includes('insert into tasks')) inserts += 1;
    };
    subscribe('worktable.statement', onStatement);
    const answers = await createAtOnce(server, creations);
    unsubscribe('worktable.statement', onStatement);
    if (inserts === 1) return answers.flatMap(({ body: { task } }) => task ?? []);
  }
}

const ofFour = (title: string): Creation[] =>
  ['alice', 'bob', 'carol', 'dave'].map((user) => ({ user, title }));

const shared = await startTestServer();

async function titlesOf(server: TestServer, user: string): Promise<string[]> {
  return (await (await server.as(user)).ok('listTasks')).body.tasks.map(({ title }) => title);
}

describe('creates of one moment', () => {
  it.runIf(engine !== 'citus')('share a statement, and each creates its task with one entry', async () => {
    const creations = ofFour('"Of\n\u2028').map(({ user, title }) => ({ user, title: `${title}${user}"` }));

    const tasks = await createInOneStatement(shared, creations);

    expect(tasks.map(({ user_id: user, title }) => ({ user, title }))).toEqual(creations);
    for (const task of tasks) {
      const client = await shared.as(task.user_id);
      expect((await client.ok('getTask', { id: task.id })).body.task).toEqual(task);
      const entry = { action: 'create', payload: { title: task.title } };
      expect(await auditLog(client, task.id)).toMatchObject([entry]);
    }
  });

  it('with one key create one task, and replay or refuse later ones, and the others succeed', async () => {
    const first = { user: 'erin', title: 'Once', key: 'used' };
    const [original, same] = await createAtOnce(shared, [first, first]);

    const answers = await createAtOnce(shared, [
      first,
      { user: 'frank', title: 'New', key: 'used' },
      { user: 'grace', title: 'New' },
    ]);
    const [other] = await createAtOnce(shared, [
      { ...first, title: 'Another' },
      { user: 'frank', title: 'Next' },
    ]);

    expect([original, same, ...answers].map((answer) => answer?.status)).toEqual([201, 201, 201, 201, 201]);
    expect([same?.body, answers[0]?.body]).toEqual([original?.body, original?.body]);
    expect([other?.status, other?.body.code]).toEqual([422, 'Idempotency key reused']);
    expect(await titlesOf(shared, 'erin')).toEqual(['Once']);
    expect(await titlesOf(shared, 'frank')).toEqual(['Next', 'New']);
    expect(await titlesOf(shared, 'grace')).toEqual(['New']);
  });

  it('succeed, except for a user whose quota is full', async () => {
    const server = await startTestServer({ env: { MAX_TASKS_PER_USER: '1' } });
    await createAtOnce(server, [{ user: 'alice', title: 'Last' }]);

    const answers = await createAtOnce(server, ofFour('Another'));

    expect(answers.map(({ status }) => status)).toEqual([400, 201, 201, 201]);
  });

  it.runIf(engine === 'postgres')('succeed, except one that waits for a lock', async () => {
    const server = await startTestServer({ changes: { database: { lockTimeoutMs: 200 } } });
    const held = `insert into idempotency_keys values ('alice', 'held', '', '', now())`;

    const answers = await whileLocked(server, held, () =>
      createAtOnce(server, [
        { user: 'alice', title: 'Waiting', key: 'held' },
        { user: 'bob', title: 'New', key: 'held' },
        { user: 'carol', title: 'New' },
      ]),
    );

    expect(answers.map(({ status }) => status)).toEqual([503, 201, 201]);
    expect(await titlesOf(server, 'alice')).toEqual([]);
  });

  it.runIf(engine === 'postgres')('that lose their connection say so, and none is done twice', async () => {
    const database = await createDatabase();
    const relay = await startRelay(database.env['DATABASE_URL'] ?? '');
    const server = await startTestServer({ sharing: { env: { ...database.env, DATABASE_URL: relay.url } } });
    const creations = [{ user: 'alice', title: 'Keyed', key: 'lost' }, ...ofFour('Lost').slice(1)];

    const answers = await whileLocked(
      database,
      'lock table audit_logs in share mode',
      async (transaction) => {
        const answering = createAtOnce(server, creations);
        // The database has received all four, in one statement or in several.
        await expect.poll(() => metricOf(server, 'http_requests_running')).toBe(4);
        await transaction.waitUntilSomeoneWaits();
        relay.cutConnections();
        await transaction.query('commit');
        return answering;
      },
    );

    expect(answers.map(({ status }) => status)).toEqual([503, 500, 500, 500]);
    const [repeated] = await createAtOnce(server, creations.slice(0, 1));
    expect(repeated?.status).toBe(201);
    expect(await titlesOf(server, 'alice')).toEqual(['Keyed']);
    for (const user of ['bob', 'carol', 'dave'])
      expect((await titlesOf(server, user)).length).toBeLessThanOrEqual(1);
  });
});
