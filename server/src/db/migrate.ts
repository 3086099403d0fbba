import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { program, StartupError } from '../lib/startup-error.ts';
import { lockKey } from './advisory-lock.ts';
import { distributeTables, isDistributed } from './citus.ts';
import { driverMessage, isContended } from './errors.ts';
import * as taskTables from './migrations/001-task-tables.ts';
import * as agentTables from './migrations/002-agent-tables.ts';
import type { Db } from './tables.ts';

interface ServerMigration {
  readonly up: Migration['up'];
  /**
   * The name of an earlier migration. Servers that know the earlier migration also work after this one. Set it only if
   * this migration only adds to the schema. If unset, only servers that know this migration work.
   */
  readonly oldest?: string;
}

export type Migrations = Readonly<Record<string, ServerMigration>>;

/** The migrations in the order in which they run. `migrations/README.md` says how to add one. */
export const serverMigrations: Migrations = {
  '001-task-tables': taskTables,
  '002-agent-tables': agentTables,
};

const pauseMs = 5000;
const createTable = sql`
  create table if not exists migrations (name text collate "C" primary key, oldest text not null)`;

/**
 * Updates the schema and resolves to the names of the migrations that ran. All of them run in one transaction, which
 * holds a lock, so that other processes wait. (Kysely's own migrator locks a session, which a pooler in transaction
 * mode does not keep.)
 *
 * While another transaction blocks a table, the migrations are retried without end. `onBlocked` is called once.
 */
export async function migrate(db: Db, migrations: Migrations, onBlocked: () => void): Promise<string[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await withMigrationLock(db, (transaction) => runMigrations(transaction, migrations));
    } catch (error) {
      if (!isContended(error)) throw error;
      if (attempt === 1) onBlocked();
      await pause(pauseMs);
    }
  }
}

async function runMigrations(transaction: Db, migrations: Migrations): Promise<string[]> {
  // While a migration waits for the exclusive lock of a table, for example behind pg_dump, the requests of running servers
  // wait behind the migration. So the migration waits at most a second, also on the other nodes of a Citus cluster.
  await sql`set local citus.propagate_set_commands = 'local'`.execute(transaction);
  await sql`set local lock_timeout = '1s'`.execute(transaction);
  await adoptEarlierNames(transaction);
  const missing = await findMissing(transaction, migrations);
  if (missing.length === 0) return [];
  await createTable.execute(transaction);
  for (const name of missing) {
    const migration = migrations[name];
    await migration?.up(transaction).catch((cause: unknown) => {
      if (isContended(cause)) throw cause;
      const sentence = `The migration ${name} failed, and the database was not changed.`;
      throw new StartupError(`${sentence} ${driverMessage(cause)}`, { cause });
    });
    await sql`insert into migrations values (${name}, ${migration?.oldest ?? name})`.execute(transaction);
  }
  // A user's rows in a new table must be on the same node as the user's other rows.
  if (await isDistributed(transaction)) await distributeTables(transaction);
  return missing;
}

/**
 * Records the migrations if an earlier version made the schema, with four migrations of other names. Kysely's table
 * `kysely_migration` has the other names. It stays, because servers of the earlier version read it.
 */
async function adoptEarlierNames(transaction: Db): Promise<void> {
  const { rows } = await sql`
    select where to_regclass('kysely_migration') is not null and to_regclass('migrations') is null`.execute(
    transaction,
  );
  if (rows.length === 0) return;
  await createTable.execute(transaction);
  await sql`
    insert into migrations
    select name, name from unnest(array['001-task-tables', '002-agent-tables']) name
    where exists (select from kysely_migration where name = '004-chart-link-key')`.execute(transaction);
  for (const [earlier, name] of [
    ['completion', 'completed_at'],
    ['due_date', 'due_at'],
    ['update', 'updated_at'],
  ])
    await sql`alter index if exists ${sql.ref(`tasks_by_${earlier}`)} rename to ${sql.ref(`tasks_by_${name}`)}`.execute(
      transaction,
    );
}

/** Resolves to true if all migrations of this version have run. Migrations of a newer version may have run too. */
export async function isMigrated(db: Db): Promise<boolean> {
  const recorded = await findRecorded(db);
  return Object.keys(serverMigrations).every((name) => recorded.some((migration) => migration.name === name));
}

/** Throws a StartupError if migrations are missing, or if this version cannot use the database. */
export async function assertMigrated(db: Db): Promise<void> {
  const missing = await findMissing(db);
  if (missing.length > 0) throw migrationsMissing(missing);
}

/** The error of a database that lacks migrations. */
export function migrationsMissing(names: readonly string[]): StartupError {
  return new StartupError(
    `The database lacks the migrations ${names.join(', ')}. If it should have them, set the address of another database. Otherwise run \`${program} migrate\` as the owner of the tables, or start a server whose database user may create tables.`,
  );
}

/**
 * The names of the migrations that are still missing. Throws a StartupError if another program has migrated the
 * database, or if a newer version has migrated it and this version does not work with it.
 */
export async function findMissing(db: Db, migrations = serverMigrations): Promise<string[]> {
  const names = Object.keys(migrations);
  const recorded = await findRecorded(db);
  const isUsable = recorded.every(({ name, oldest }, i) =>
    i < names.length ? name === names[i] : names.includes(oldest),
  );
  if (!isUsable)
    throw new StartupError(
      `This version of the server cannot use the database, because the database has other migrations (${recorded.map(({ name }) => name).join(', ')}). Start the version that migrated it, or set the address of another database.`,
    );
  return names.slice(recorded.length);
}

interface RecordedMigration {
  readonly name: string;
  /** Servers that know the migration with this name also work after this migration. */
  readonly oldest: string;
}

/** The migrations that the database records, in the order in which they ran: their names are numbered. */
export async function findRecorded(db: Db): Promise<RecordedMigration[]> {
  const { rows: existing } = await sql`select where to_regclass('migrations') is not null`.execute(db);
  if (existing.length === 0) return [];
  const { rows } = await sql<RecordedMigration>`select name, oldest from migrations order by name`.execute(
    db,
  );
  return rows;
}

/** Runs a function in a transaction that holds the migration lock, without the time limits of requests. */
export function withMigrationLock<Result>(
  db: Db,
  run: (transaction: Db) => Promise<Result>,
): Promise<Result> {
  return db.transaction().execute(async (transaction) => {
    await liftTimeLimits(transaction);
    await sql`select pg_advisory_xact_lock(${lockKey('migrations')}::bigint)`.execute(transaction);
    return run(transaction);
  });
}

export async function liftTimeLimits(transaction: Db): Promise<void> {
  // Postgres 17 and later also have a time limit for transactions.
  await sql`
    select set_config(name, '0', true) from pg_settings where name in
      ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')
  `.execute(transaction);
}

/** The key that signs the addresses of charts. A migration has created it. */
export async function readChartLinkKey(db: Db): Promise<string> {
  const { rows } = await sql<{ secret: string }>`select secret from chart_link_key`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('The table chart_link_key is empty. Restore its row from a backup.');
  return row.secret;
}
