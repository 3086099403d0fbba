import { beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../support/client.ts';
import { startRelay, type Relay } from '../../support/relay.ts';
import {
  createDatabase,
  engine,
  startTestServer,
  type TestServer,
  type TestServerOptions,
} from '../../support/server.ts';
import { spec } from '../../support/spec.ts';

/** Starts a server whose connections to the database pass a relay. */
async function startRelayed({ env = {}, ...options }: TestServerOptions) {
  const database = await createDatabase();
  const relay = await startRelay(database.env['DATABASE_URL'] ?? '');
  const server = await startTestServer({
    ...{ sharing: database, ...options },
    env: { ...env, DATABASE_URL: relay.url },
  });
  return { relay, server };
}

const readiness = async ({ url }: TestServer): Promise<string> => (await fetch(`${url}/readyz`)).text();

describe.runIf(engine === 'postgres')('while the database refuses connections, a request', () => {
  let relay: Relay;
  let server: TestServer;
  let alice: Client;
  const log: string[] = [];

  beforeAll(async () => {
    ({ relay, server } = await startRelayed({ log }));
    alice = await server.as('alice');
    await alice.ok('listTasks');
    await relay.cut();
  });

  spec('createTask', 503, 'is refused with Retry-After, because nothing was done', async () => {
    // Repeats until the server has noticed that the relay has cut its connections.
    await expect.poll(async () => (await alice.send('listTasks')).status).toBe(503);

    const { body, headers } = await alice.fails('createTask', 503, { body: { title: 'x' } });

    expect(body).toMatchObject({
      code: 'Overloaded',
      detail:
        'The database cannot do this at the moment. Nothing was done. Try again after the time in Retry-After.',
    });
    expect(headers.get('Retry-After')).toBe('1');
  });

  it('is logged as a warning, with the reason', () => {
    const reasons = log
      .map((line) => JSON.parse(line) as { status?: number; level?: number; reason?: string })
      .filter(({ status, level }) => status === 503 && level === 40)
      .map(({ reason }) => reason);

    expect(reasons).toContainEqual(expect.stringContaining('ECONNREFUSED'));
    expect(reasons).not.toContain('');
  });

  spec('createTask', 201, 'succeeds when the database has returned', async () => {
    await relay.restore();

    const create = async () => (await alice.send('createTask', { body: { title: 'x' } })).status;
    await expect.poll(create).toBe(201);
    expect(await readiness(server)).toBe('ready\n');
  });
});

describe.runIf(engine === 'postgres')('while the database takes no further connections, a request', () => {
  spec('listTasks', 200, 'waits for a connection that is open', async () => {
    const { relay, server } = await startRelayed({ env: { DATABASE_POOL_SIZE: '12' } });
    const users = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => server.as(name)));
    await users[0]?.ok('listTasks');
    relay.hangUpOnNewcomers();

    const lists = [...users, ...users].map((user) => user.ok('listTasks'));

    expect(await Promise.all(lists)).toHaveLength(12);
    relay.cutConnections();
    await expect.poll(async () => (await users[0]?.send('listTasks'))?.status).toBe(503);
  });
});

describe.runIf(engine === 'postgres')('while the connected database is silent, a request', () => {
  let relay: Relay;
  let alice: Client;
  let bob: Client;

  beforeAll(async () => {
    const env = { DATABASE_STATEMENT_TIMEOUT: '1500ms', DATABASE_POOL_SIZE: '2' };
    const relayed = await startRelayed({ env, changes: { database: { poolWaitMs: 1500 } } });
    ({ relay } = relayed);
    [alice, bob] = [await relayed.server.as('alice'), await relayed.server.as('bob')];
  });

  /** Acts while the database is silent. The connections of both users were opened before. */
  async function whileSilent<Result>(act: () => Promise<Result>): Promise<Result> {
    await Promise.all([alice, bob].map((user) => user.ok('listTasks')));
    relay.silence();
    const result = await act();
    await relay.restore();
    return result;
  }

  spec('listTasks', 503, 'is refused after its timeout, on each connection of the pool', async () => {
    const refused = await whileSilent(() =>
      Promise.all([alice, bob].map((user) => user.fails('listTasks', 503))),
    );

    for (const { body } of refused)
      expect(body.detail).toBe(
        'The database has not answered. Send the same request again after the time in Retry-After.',
      );
    // The server has replaced the silent connections.
    await alice.ok('listTasks');
    relay.resume();
  });

  spec('createTask', 503, 'with a key is refused, and its repetition creates one task', async () => {
    const request = { body: { title: 'x' }, headers: { 'Idempotency-Key': 'silent' } };

    await whileSilent(() => alice.fails('createTask', 503, request));

    relay.resume();
    await alice.ok('createTask', request);
  });

  spec('createTask', 500, 'without a key fails, because it may have been done', async () => {
    const { body } = await whileSilent(() => alice.fails('createTask', 500, { body: { title: 'x' } }));

    expect(body.code).toBe('Database error');
    relay.resume();
    await alice.ok('listTasks');
  });
});
