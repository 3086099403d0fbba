import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { freePort } from '../support/free-port.ts';
import { databaseName, run } from '../support/postgres.ts';
import { createDatabase, engine, startTestServer, type TestDatabase } from '../support/server.ts';
import { spec } from '../support/spec.ts';

describe.runIf(engine === 'postgres')('while the database refuses connections, a request', () => {
  let database: TestDatabase;
  let gate: Gate;
  let alice: Client;
  let url: string;
  const log: string[] = [];

  beforeAll(async () => {
    database = await createDatabase();
    gate = await gateTo(database.env['DATABASE_URL'] ?? '');
    const server = await startTestServer({ env: { DATABASE_URL: gate.url }, log });
    url = server.url;
    alice = await server.as('alice');
    await alice.ok('listTasks');
    await gate.shut();
  });

  afterAll(async () => {
    await gate.shut();
  });

  spec('createTask', 503, 'is refused with Retry-After, because nothing was done', async () => {
    // The connections that the gate has cut are noticed by the next statements.
    await expect.poll(async () => (await alice.send('listTasks')).status).toBe(503);

    const { body, headers } = await alice.fails('createTask', 503, { body: { title: 'x' } });

    expect(body).toMatchObject({
      code: 'Overloaded',
      detail:
        'The database accepts no connection at the moment. Nothing was done. Try again after the time in Retry-After.',
    });
    expect(headers.get('Retry-After')).toBe('1');
  });

  it('has the reason in its line of the log, a warning', () => {
    const reasons = log
      .map((line) => JSON.parse(line) as { status?: number; level?: number; reason?: string })
      .filter(({ status, level }) => status === 503 && level === 40)
      .map(({ reason }) => reason);

    expect(reasons).toContainEqual(expect.stringContaining('ECONNREFUSED'));
    expect(reasons).not.toContain('');
  });

  it('the job queue logs one line', async () => {
    await new Promise((resolve) => setTimeout(resolve, 4000));

    const lines = log.filter((line) => line.includes('the job queue fails'));

    expect(lines).toHaveLength(1);
  });

  spec('createTask', 201, 'succeeds when the database has returned', async () => {
    await gate.open();

    await expect
      .poll(async () => (await alice.send('createTask', { body: { title: 'x' } })).status)
      .toBe(201);
    expect(await (await fetch(`${url}/readyz`)).text()).toBe('ready\n');
  });
});

describe.runIf(engine === 'postgres')('while the database takes no further connections, a request', () => {
  let database: TestDatabase;
  let gate: Gate;

  beforeAll(async () => {
    database = await createDatabase();
    gate = await gateTo(database.env['DATABASE_URL'] ?? '');
  });

  afterAll(async () => {
    await gate.shut();
  });

  spec('listTasks', 200, 'waits for a connection that is open', async () => {
    const server = await startTestServer({ env: { DATABASE_URL: gate.url, DATABASE_POOL_SIZE: '12' } });
    const users = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => server.as(name)));
    await users[0]?.ok('listTasks');
    gate.hangUpOnNewcomers();

    const answers = await Promise.all(
      users.flatMap((user) => [user, user].map((each) => each.ok('listTasks'))),
    );

    expect(answers).toHaveLength(12);
    gate.cutAll();
    await expect.poll(async () => (await users[0]?.send('listTasks'))?.status).toBe(503);
  });
});

describe.runIf(engine === 'postgres')('/readyz', () => {
  it('returns 503 while the database is read-only', async () => {
    const server = await startTestServer({ env: { DATABASE_POOL_SIZE: '1' } });
    const admin = server.env['DATABASE_URL'] ?? '';
    await run(admin, `alter database ${databaseName(admin)} set default_transaction_read_only = on`);
    await run(
      admin,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    );

    await expect
      .poll(async () => (await fetch(`${server.url}/readyz`)).text())
      .toBe('The database is read-only.\n');
  });

  it('returns 503 until the keys at JWKS_URL could be fetched once', async () => {
    const server = await startTestServer({
      env: { JWT_SECRET: '', JWKS_URL: `http://127.0.0.1:${await freePort()}/keys` },
    });

    const answer = await fetch(`${server.url}/readyz`);

    expect([answer.status, await answer.text()]).toEqual([503, 'The keys at JWKS_URL cannot be fetched.\n']);
  });
});

/** An address that leads to a Postgres while it is open, and refuses connections while it is shut. */
interface Gate {
  readonly url: string;
  shut(): Promise<void>;
  open(): Promise<void>;
  /** Closes new connections at once, as some proxies do, and keeps the open ones. */
  hangUpOnNewcomers(): void;
  cutAll(): void;
}

async function gateTo(url: string): Promise<Gate> {
  const { hostname, port: target } = new URL(url);
  const sockets = new Set<Socket>();
  let server: Server | undefined;
  let port = 0;
  let hangsUp = false;
  const cutAll = (): void => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  const open = async (): Promise<void> => {
    const opened = createServer((near) => {
      if (hangsUp) {
        near.destroy();
        return;
      }
      const far = connect(Number(target), hostname);
      for (const socket of [near, far]) sockets.add(socket.on('error', () => undefined));
      near.pipe(far).pipe(near);
    });
    await new Promise<void>((resolve) => opened.listen(port, '127.0.0.1', resolve));
    const address = opened.address();
    if (typeof address === 'object' && address !== null) port = address.port;
    server = opened;
  };
  await open();
  const own = new URL(url);
  own.hostname = '127.0.0.1';
  own.port = String(port);
  return {
    url: own.href,
    open,
    cutAll,
    hangUpOnNewcomers: () => {
      hangsUp = true;
    },
    shut: async () => {
      const closing = server;
      server = undefined;
      cutAll();
      if (closing !== undefined) await new Promise((resolve) => closing.close(resolve));
    },
  };
}
