import { sql } from 'kysely';
import type { Config } from '../config/config.ts';
import { program, StartupError } from '../lib/startup-error.ts';
import type { Database } from './database.ts';
import { userTableNames } from './tables.ts';

const tableNames = [...userTableNames, 'rate_limits', 'paused_runtimes', 'chart_link_key'];

/** Throws if the database role lacks a right to a table. Warns if it may not migrate the next version. */
export async function checkRole({ db }: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct name
    from unnest(${tableNames}::text[]) name, unnest(array['select', 'insert', 'update', 'delete']) privilege
    where not has_table_privilege(to_regclass(name), privilege) order by name`.execute(db);
  if (rows.length > 0)
    throw new StartupError(
      `The database user may not read and write ${rows.map(({ name }) => name).join(', ')}. Grant the rights that server/install.md lists under "Postgres".`,
    );
  const mayCreate = await sql`select where has_schema_privilege(current_schema(), 'create')`.execute(db);
  if (mayCreate.rows.length > 0) return [];
  return [
    `The database user may not create tables. Run \`${program} migrate\` as their owner before a newer version starts.`,
  ];
}

const clockDifferenceMsMax = 2000;

/** Throws if the clocks of the database and this process differ by more than `clockDifferenceMsMax`. */
export async function checkClock({ db }: Database): Promise<string[]> {
  const before = Date.now();
  const { rows } = await sql<{ ms: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`.execute(db);
  const ms = rows[0]?.ms ?? before;
  // The database has read its clock between `before` and now.
  const differenceMs = Math.max(before - ms, ms - Date.now(), 0);
  if (differenceMs <= clockDifferenceMsMax) return [];
  throw new StartupError(
    `The clocks of this machine and of the database differ by ${Math.round(differenceMs / 1000)} s. Synchronize both (NTP).`,
  );
}

/** Warns if the pool exceeds the connections that Postgres does not reserve for superusers. */
export async function checkPool(
  { database: { poolSize } }: Config,
  { db, engine }: Database,
): Promise<string[] | undefined> {
  if (engine === 'PGlite') return undefined;
  const { rows } = await sql<{ max: number }>`
    select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as max
  `.execute(db);
  const max = rows[0]?.max ?? poolSize;
  if (poolSize <= max) return [];
  return [
    `DATABASE_POOL_SIZE is ${poolSize}, but Postgres accepts ${max} connections of all programs together. Lower it, or raise max_connections.`,
  ];
}
