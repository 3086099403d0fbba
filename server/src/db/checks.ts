import { sql } from 'kysely';
import type { Config } from '../config/config.ts';
import { program, StartupError } from '../lib/startup-error.ts';
import { hasCitus } from './citus.ts';
import type { Database } from './database.ts';
import { hasSqlState } from './errors.ts';
import { assertSessionSettings } from './session-settings.ts';
import { isMigrated } from './migrate.ts';
import { userTableNames, type Db } from './tables.ts';

/**
 * Throws a StartupError if a server would lose data or return wrong data with this database. Resolves to warnings for
 * the operator.
 */
export async function checkUsable(
  { database: { statementTimeoutMs } }: Config,
  { db, engine, keepsStatements }: Database,
): Promise<string[]> {
  await assertSessionSettings(db);
  return [
    ...(keepsStatements === false ? [losesStatements] : []),
    ...(await checkEncoding(db)),
    // A pooler may ignore the time limits that a connection requests.
    ...(engine === 'Postgres' && statementTimeoutMs > 0 ? await findMissingTimeLimits(db) : []),
  ];
}

const losesStatements =
  'The pooler at DATABASE_URL does not keep prepared statements, so Postgres plans each statement each time. See PgBouncer in server/install.md.';

const create = `\`create database NAME template template0 encoding 'UTF8' locale 'C.UTF-8'\``;

async function checkEncoding(db: Db): Promise<string[]> {
  const { rows } = await sql<{ encoding: string; database: string }>`
    select current_setting('server_encoding') as encoding, current_database() as database`.execute(db);
  const [{ encoding, database } = { encoding: '', database: '' }] = rows;
  if (encoding !== 'UTF8')
    throw new StartupError(
      `The database ${database} has the encoding ${encoding}, which cannot store every text. Create one with ${create}, and set DATABASE_URL to it.`,
    );
  // Tests the behaviour instead of the name of the character type: locale providers other than libc use other names.
  const knowsCapitals = await sql`select where 'Ä' ilike 'ä'`.execute(db);
  if (knowsCapitals.rows.length > 0) return [];
  return [
    `The database ${database} has a character type such as C, so the order by title distinguishes capital letters beyond ASCII from small ones. Restore its dump into one that was created with ${create}.`,
  ];
}

async function findMissingTimeLimits(db: Db): Promise<string[]> {
  const { rows } = await sql<{ names: string | null }>`
    select string_agg(name, ', ' order by name) as names from pg_settings where setting = '0'
      and name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout')`.execute(db);
  const names = rows[0]?.names ?? null;
  if (names === null) return [];
  return [
    `The database does not apply these time limits: ${names}. Set them on the role; see server/install.md.`,
  ];
}

const tableNames = [...userTableNames, 'rate_limits', 'paused_runtimes', 'chart_link_key'];

/** Throws if the database role lacks a table or a right to it. Resolves to warnings about its other rights. */
export async function checkRole({ db, engine }: Database): Promise<string[]> {
  if (engine === 'PGlite') return [];
  const isComplete = await isMigrated(db);
  const { rows } = await sql<{ is_superuser: boolean; may_create: boolean; unusable: string }>`
    select rolsuper as is_superuser, has_schema_privilege(current_schema(), 'create') as may_create, (
        select coalesce(string_agg(name, ', ' order by name), '') from unnest(${tableNames}::text[]) name
        where not coalesce((
          select bool_and(has_table_privilege(to_regclass(name), privilege))
          from unnest(array['select', 'insert', 'update', 'delete']) privilege
        ), ${!isComplete}::boolean)
      ) as unusable
    from pg_roles where rolname = current_user`.execute(db);
  const [role = { is_superuser: false, may_create: true, unusable: '' }] = rows;
  if (role.unusable !== '')
    throw new StartupError(
      `The database user may not read and write ${role.unusable}. If a table is missing, restore a complete backup. Otherwise grant the rights that server/install.md lists under "Postgres".`,
    );
  if (!isComplete && !role.may_create)
    throw new StartupError(
      `A server cannot update the schema, because its user may not create tables. Run \`${program} migrate\` as their owner.`,
    );
  return [
    !role.may_create &&
      `The database user may not create tables. Run \`${program} migrate\` as their owner before a newer version starts.`,
    role.is_superuser && 'The database user is a superuser. Use one that has access to this database only.',
  ].filter((sentence) => sentence !== false);
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

/** Throws if the coordinator of a Citus cluster cannot connect to one of its workers. */
export async function checkWorkers({ db }: Database): Promise<string[] | undefined> {
  if (!(await hasCitus(db))) return undefined;
  const { rows: workers } = await sql<{ host: string; port: number }>`
    select node_name as host, node_port::int as port from citus_get_active_worker_nodes() order by host, port`.execute(
    db,
  );
  const unreachable: string[] = [];
  for (const { host, port } of workers)
    if (!(await isReachable(db, host, port))) unreachable.push(`${host}:${port}`);
  if (unreachable.length === 0) return [];
  throw new StartupError(
    `The coordinator of the Citus cluster cannot connect to ${unreachable.join(', ')}. Requests of the users whose rows are there fail. Start Postgres there, and check the network, pg_hba.conf and the password of the coordinator.`,
  );
}

/** Also resolves to false if the worker does not answer within the statement's time limit. */
async function isReachable(db: Db, host: string, port: number): Promise<boolean> {
  try {
    const { rows } = await sql<{ is_reachable: boolean }>`
      select citus_check_connection_to_node(${host}, ${port}) as is_reachable`.execute(db);
    return rows[0]?.is_reachable === true;
  } catch (error) {
    if (hasSqlState(error, 'query_canceled')) return false;
    throw error;
  }
}
