import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyFolder } from '../support/copy-folder.ts';
import { citusNodes, createCitusDatabase, dropCitusDatabase } from '../support/citus.ts';
import { distributeByCommand, migrateByCommand } from '../support/migrate.ts';
import { databaseUrl, findPostgres, run as query, type PostgresServer } from '../support/postgres.ts';

let databaseCount = 0;

export type Engine = 'PGlite' | 'Postgres' | 'Citus';

/** Engines that are available on every machine. */
export const engines: readonly Engine[] = ['PGlite', 'Postgres'];

/** A database for one scenario. It is dropped at the end. */
export interface TestDatabase extends AsyncDisposable {
  /** The environment of a server that uses it. */
  readonly env: Readonly<Record<string, string>>;
  /** The connection URL; empty for PGlite. */
  readonly url: string;
}

export interface Databases extends AsyncDisposable {
  /**
   * Creates a database without tasks. It is migrated unless `isEmpty`. On Citus, it is in the cluster of
   * TEST_CITUS_URL.
   */
  create(engine: Engine, options?: { readonly isEmpty?: boolean }): Promise<TestDatabase>;
}

/** Creates databases of each engine by copying a database that was migrated once. */
export function openDatabases(): Databases {
  let folder: Promise<string> | undefined;
  let server: Promise<PostgresServer> | undefined;
  return {
    create: async (engine, { isEmpty = false } = {}) => {
      if (engine === 'Citus') return createOnCitus();
      if (engine === 'PGlite') return createFolder(isEmpty ? undefined : await (folder ??= migratedFolder()));
      return createOnPostgres(await (server ??= startPostgres()), isEmpty);
    },
    [Symbol.asyncDispose]: async () => {
      if (folder !== undefined) await removeFolder(await folder);
      await (await server)?.stop();
    },
  };
}

async function migratedFolder(): Promise<string> {
  const folder = await newFolder();
  await migrateByCommand({ DATA_DIR: folder });
  return folder;
}

async function startPostgres(): Promise<PostgresServer> {
  const server = await findPostgres();
  if (server === undefined) throw new Error('No Postgres is available.');
  return server;
}

async function createFolder(template: string | undefined): Promise<TestDatabase> {
  const folder = await newFolder();
  if (template !== undefined) await copyFolder(template, folder);
  return { env: { DATA_DIR: folder }, url: '', [Symbol.asyncDispose]: () => removeFolder(folder) };
}

async function createOnPostgres(server: PostgresServer, isEmpty: boolean): Promise<TestDatabase> {
  const folder = await newFolder();
  const name = `faults_${process.pid}_${++databaseCount}`;
  await query(server.url, `create database ${name}${isEmpty ? '' : ` template ${server.template}`}`);
  const url = databaseUrl(server.url, name);
  return {
    env: { DATA_DIR: folder, DATABASE_URL: url },
    url,
    [Symbol.asyncDispose]: async () => {
      await query(server.url, `drop database if exists ${name} with (force)`);
      await removeFolder(folder);
    },
  };
}

async function createOnCitus(): Promise<TestDatabase> {
  const nodes = await citusNodes(process.env['TEST_CITUS_URL'] ?? '');
  const name = `faults_${process.pid}_${++databaseCount}`;
  const url = await createCitusDatabase(nodes, name);
  await migrateByCommand({ DATABASE_URL: url });
  await distributeByCommand({ DATABASE_URL: url });
  return { env: { DATABASE_URL: url }, url, [Symbol.asyncDispose]: () => dropCitusDatabase(nodes, name) };
}

function newFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'worktable-faults-'));
}

function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true });
}
