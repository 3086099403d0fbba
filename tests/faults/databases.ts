import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyFolder } from '../support/copy-folder.ts';
import { migrateByCommand } from '../support/migrate.ts';
import { databaseUrl, findPostgres, run, type PostgresServer } from '../support/postgres.ts';

let databaseCount = 0;

export type Engine = 'PGlite' | 'Postgres';

export const engines: readonly Engine[] = ['PGlite', 'Postgres'];

/** A database for one trial; it is dropped at the end. */
export interface FreshDatabase extends AsyncDisposable {
  /** The environment that leads a server to it. */
  readonly env: Readonly<Record<string, string>>;
  /** Its address, on Postgres. */
  readonly url: string;
}

export interface Databases extends AsyncDisposable {
  /** Without tasks, and with tables unless `isBare`. */
  fresh(engine: Engine, options?: { readonly isBare?: boolean }): Promise<FreshDatabase>;
}

/** Databases on either engine, copied from one that has been migrated once. */
export function openDatabases(): Databases {
  let folder: Promise<string> | undefined;
  let server: Promise<PostgresServer> | undefined;
  return {
    fresh: async (engine, { isBare = false } = {}) => {
      if (engine === 'PGlite') return freshFolder(isBare ? undefined : await (folder ??= migratedFolder()));
      return freshOnPostgres(await (server ??= postgres()), isBare);
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

async function postgres(): Promise<PostgresServer> {
  const server = await findPostgres();
  if (server === undefined) throw new Error('No Postgres could be had.');
  return server;
}

async function freshFolder(template: string | undefined): Promise<FreshDatabase> {
  const folder = await newFolder();
  if (template !== undefined) await copyFolder(template, folder);
  return { env: { DATA_DIR: folder }, url: '', [Symbol.asyncDispose]: () => removeFolder(folder) };
}

async function freshOnPostgres(server: PostgresServer, isBare: boolean): Promise<FreshDatabase> {
  const folder = await newFolder();
  const name = `faults_${process.pid}_${++databaseCount}`;
  await run(server.url, `create database ${name}${isBare ? '' : ` template ${server.template}`}`);
  const url = databaseUrl(server.url, name);
  return {
    env: { DATA_DIR: folder, DATABASE_URL: url },
    url,
    [Symbol.asyncDispose]: async () => {
      await run(server.url, `drop database if exists ${name} with (force)`);
      await removeFolder(folder);
    },
  };
}

function newFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'worktable-faults-'));
}

function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true });
}
