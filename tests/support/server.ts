import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, inject } from 'vitest';
import { createLogger } from '../../server/src/log.ts';
import { start } from '../../server/src/server.ts';
import { Client } from './client.ts';
import { testConfig } from './config.ts';
import { copyFolder } from './copy-folder.ts';
import { databaseUrl, run } from './postgres.ts';
import { tokenFor } from './tokens.ts';

export type Engine = 'pglite' | 'postgres';

/** The engine that this run of the suite is about; the project of vitest.config.ts decides. */
export const engine: Engine = process.env['TEST_ENGINE'] === 'postgres' ? 'postgres' : 'pglite';

export interface TestServer {
  readonly url: string;
  /** Environment with which another process reaches the same database. */
  readonly env: Readonly<Record<string, string>>;
  /** A client that speaks for the user; without one, a client without a token. */
  as(user?: string): Promise<Client>;
  close(): Promise<void>;
}

// A hook that is registered while another runs would never be called.
const started: (() => Promise<void>)[] = [];

afterAll(async () => {
  await Promise.all(started.map((close) => close()));
});

export interface TestServerOptions {
  readonly env?: Record<string, string>;
  /** Another server whose database is to be shared (Postgres only). */
  readonly sharing?: TestServer;
  /** Takes the lines of the log. */
  readonly log?: string[];
}

/** A real server on a free port with an empty database of its own; it is stopped after the file's tests. */
export async function startTestServer({
  env = {},
  sharing,
  log,
}: TestServerOptions = {}): Promise<TestServer> {
  const database =
    sharing === undefined ? await createDatabase() : { env: sharing.env, drop: () => Promise.resolve() };
  const config = testConfig({ dataDir: database.env['DATA_DIR'] ?? '', env: { ...database.env, ...env } });
  const logger = log && createLogger('debug', { write: (line) => log.push(line) });
  const server = await start(config, logger);
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= server.close().then(() => database.drop()));
  started.push(close);
  return {
    url: server.url,
    env: database.env,
    as: async (user) => new Client(server.url, user === undefined ? undefined : await tokenFor(user)),
    close,
  };
}

export interface TestDatabase {
  readonly env: Readonly<Record<string, string>>;
  drop(): Promise<void>;
}

/** An empty, migrated database on the engine of this run, and the environment that leads to it. */
export async function createDatabase(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'worktable-test-'));
  const removeFolder = (): Promise<void> => rm(folder, { recursive: true, force: true });
  if (engine === 'pglite') {
    await copyFolder(inject('pgliteTemplate'), folder);
    return { env: { DATA_DIR: folder }, drop: removeFolder };
  }
  const postgres = inject('postgres');
  if (postgres === undefined)
    throw new Error('No Postgres could be had for the tests of the project "postgres".');
  const name = `worktable_test_${process.pid}_${Date.now()}_${String(Math.random()).slice(2, 8)}`;
  await run(postgres.url, `create database ${name} template ${postgres.template}`);
  return {
    env: { DATA_DIR: folder, DATABASE_URL: databaseUrl(postgres.url, name) },
    drop: async () => {
      await run(postgres.url, `drop database if exists ${name} with (force)`);
      await removeFolder();
    },
  };
}
