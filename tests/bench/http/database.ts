import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { isId } from '../../../server/src/lib/ids.ts';
import { runCommand } from '../../support/server-process.ts';

const serverUrl = 'postgres://root@127.0.0.1:5432/bench_worktable';
export const databaseUrl = process.env['BENCH_DATABASE_URL'] ?? serverUrl;
export const rowsWanted = Number(process.env['BENCH_ROWS'] ?? 1_000_000);

/** A second, small database. It shows the effect of the size of the table. */
export const smallDatabaseUrl = `${databaseUrl}_small`;
export const smallRows = 10_000;

/** Makes sure that there is a migrated database with that many tasks. Reuses an existing one. */
export async function ensureDatabase(url: string, rows: number): Promise<void> {
  if (await isSeeded(url, rows)) return cleanUp(url);
  await createEmptyDatabase(url);
  await fillDatabase(url, rows);
}

/** Migrates an empty database and creates that many tasks. */
export async function fillDatabase(url: string, rows: number): Promise<void> {
  await runCommand('migrate', { DATABASE_URL: url });
  console.error(`Seeding ${rows.toLocaleString('en')} tasks into ${new URL(url).pathname.slice(1)} …`);
  await onDatabase(url, (client) => seed(client, rows));
  await cleanUp(url);
}

export async function createEmptyDatabase(url: string): Promise<void> {
  await dropDatabase(url);
  await onServerOf(url, (client, name) => client.query(`create database ${pg.escapeIdentifier(name)}`));
}

export async function dropDatabase(url: string): Promise<void> {
  await onServerOf(url, (client, name) =>
    client.query(`drop database if exists ${pg.escapeIdentifier(name)} with (force)`),
  );
}

/**
 * Deletes what a part of the benchmark has written. Ids are ordered by time, so these are all ids after the seeding.
 */
export async function cleanUp(url: string): Promise<void> {
  await onDatabase(url, async (client) => {
    await client.query(`delete from tasks where id >= (select first_id from bench_seed)`);
    await client.query(await textOf('seed-derived.sql'));
    await client.query('vacuum analyze');
  });
}

export async function onDatabase<Result>(
  url: string,
  use: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

async function onServerOf<Result>(
  url: string,
  use: (client: pg.Client, name: string) => Promise<Result>,
): Promise<Result> {
  const server = new URL(url);
  const name = server.pathname.slice(1);
  server.pathname = '/postgres';
  return onDatabase(server.href, (client) => use(client, name));
}

/** A database without the latest migration counts as not seeded, so that no result depends on a backfill. */
async function isSeeded(url: string, rows: number): Promise<boolean> {
  const databases = await onServerOf(url, (client, name) =>
    client.query('select from pg_database where datname = $1', [name]),
  );
  if (databases.rowCount === 0) return false;
  await runCommand('migrate', { DATABASE_URL: url });
  return onDatabase(url, async (client) => {
    const tables = await client.query("select from pg_tables where tablename = 'bench_seed'");
    if (tables.rowCount === 0) return false;
    const counts = 'rows = $1 and migrations = (select count(*) from migrations)';
    return (await client.query(`select from bench_seed where ${counts}`, [rows])).rowCount === 1;
  });
}

async function seed(client: pg.Client, rows: number): Promise<void> {
  await client.query('begin');
  await client.query("select set_config('bench.rows', $1, true)", [rows]);
  await client.query(await textOf('seed.sql'));
  await client.query(
    `create table bench_seed as select $1::int as rows, (select count(*) from migrations) as migrations,
      (lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid as first_id`,
    [rows],
  );
  const { rows: samples } = await client.query<{ id: string }>('select id from tasks limit 100');
  if (!samples.every(({ id }) => isId(id)))
    throw new Error('The ids of seed.sql do not match server/src/lib/ids.ts.');
  await client.query('commit');
}

function textOf(file: string): Promise<string> {
  return readFile(new URL(file, import.meta.url), 'utf8');
}
