import { setTimeout as pause } from 'node:timers/promises';
import { sql, type RawBuilder } from 'kysely';
import type { Migration } from 'kysely/migration';
import { program, StartupError } from '../lib/startup-error.ts';
import { lockKey } from './advisory-lock.ts';
import { distributeTables, isDistributed } from './citus.ts';
import { driverMessage, isContention } from './errors.ts';
import * as tables from './migrations/001-tables.ts';
import * as taskIndexes from './migrations/002-task-indexes.ts';
import * as sessionTurns from './migrations/003-session-turns.ts';
import * as chartLinkKey from './migrations/004-chart-link-key.ts';
import type { Db } from './tables.ts';

interface ServerMigration {
  readonly up: Migration['up'];
  /**
   * An earlier migration. Servers that know it still work after this one. Set it only if this migration adds to the
   * schema and changes nothing else. If unset, only servers that know this migration work.
   */
  readonly oldest?: string;
}

export type Migrations = Readonly<Record<string, ServerMigration>>;

/** The migrations in the order in which they run. `migrations/README.md` says how to add one. */
export const serverMigrations: Migrations = {
  '001-tables': tables,
  '002-task-indexes': taskIndexes,
  '003-session-turns': sessionTurns,
  '004-chart-link-key': chartLinkKey,
};

const pauseMs = 5000;

/**
 * Updates the schema and resolves to the names of the migrations that ran. All of them run in one transaction, which
 * holds a lock, so that other processes wait. (Kysely's own migrator locks a session, which a pooler in transaction
 * mode does not keep.) The table `kysely_migration` has Kysely's format.
 *
 * While another transaction blocks a table, the migrations are retried without end. `onBlocked` is called once.
 */
export async function migrate(db: Db, migrations: Migrations, onBlocked: () => void): Promise<string[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await withMigrationLock(db, (transaction) => runMigrations(transaction, migrations));
    } catch (error) {
      if (!isContention(error)) throw error;
      if (attempt === 1) onBlocked();
      await pause(pauseMs);
    }
  }
}

async function runMigrations(transaction: Db, migrations: Migrations): Promise<string[]> {
  await limitLockWaits(transaction);
  const recorded = await findRecorded(transaction);
  await assertUsable(transaction, recorded, Object.keys(migrations));
  const missing = Object.entries(migrations).filter(([name]) => !recorded.includes(name));
  if (missing.length === 0) return [];
  await sql`
    create table if not exists kysely_migration (
      name varchar(255) primary key, timestamp varchar(255) not null
    )`.execute(transaction);
  // Servers look up here whether they still work after a migration that their own code lacks.
  await sql`
    create table if not exists migration_compatibility (
      name varchar(255) primary key, oldest varchar(255) not null
    )`.execute(transaction);
  for (const [name, migration] of missing) {
    await migration.up(transaction).catch((cause: unknown) => {
      if (isContention(cause)) throw cause;
      const sentence = `The migration ${name} failed, and the database was not changed.`;
      throw new StartupError(`${sentence} ${driverMessage(cause)}`, { cause });
    });
    await sql`insert into kysely_migration values (${name}, now()::text)`.execute(transaction);
    await sql`
      insert into migration_compatibility values (${name}, ${migration.oldest ?? name})
      on conflict (name) do update set oldest = excluded.oldest`.execute(transaction);
  }
  // A user's rows in a new table must be on the same node as the user's other rows.
  if (await isDistributed(transaction)) await distributeTables(transaction);
  return missing.map(([name]) => name);
}

/**
 * While a migration waits for the exclusive lock of a table, for example behind pg_dump, the requests of running
 * servers wait behind the migration. So the migration waits for less time than requests may.
 */
async function limitLockWaits(transaction: Db): Promise<void> {
  // Makes Citus send the limit to the other nodes. Without Citus, the setting has no effect.
  await sql`set local citus.propagate_set_commands = 'local'`.execute(transaction);
  await sql`set local lock_timeout = '1s'`.execute(transaction);
}

/** Resolves to true if all migrations of this version have run. Migrations of a newer version may have run too. */
export async function isMigrated(db: Db): Promise<boolean> {
  const recorded = await findRecorded(db);
  return Object.keys(serverMigrations).every((name) => recorded.includes(name));
}

/**
 * A sentence about the migrations that are still missing; undefined if there are none. Throws a StartupError if this
 * version cannot migrate the database.
 */
export async function findMissing(db: Db, migrations = serverMigrations): Promise<string | undefined> {
  const recorded = await findRecorded(db);
  await assertUsable(db, recorded, Object.keys(migrations));
  const missing = Object.keys(migrations).filter((name) => !recorded.includes(name));
  if (missing.length === 0) return undefined;
  return `The database lacks the migrations ${missing.join(', ')}. If it should have them, set the address of another database. Otherwise run \`${program} migrate\` as the owner of the tables, or start a server whose database user may create tables.`;
}

export async function assertMigrated(db: Db): Promise<void> {
  const sentence = await findMissing(db);
  if (sentence !== undefined) throw new StartupError(sentence);
}

/** The names of the migrations that the database records. */
export function findRecorded(db: Db): Promise<string[]> {
  return namesIn(db, 'kysely_migration', sql`true`);
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

/** The names in a table of migrations that fulfil a condition; none if the table does not exist. */
async function namesIn(db: Db, table: string, condition: RawBuilder<unknown>): Promise<string[]> {
  const { rows: existing } = await sql`select where to_regclass(${table}) is not null`.execute(db);
  if (existing.length === 0) return [];
  const { rows } = await sql<{ name: string }>`
    select name from ${sql.table(table)} where ${condition}`.execute(db);
  return rows.map(({ name }) => name);
}

/**
 * Throws a StartupError if another program has migrated the database, or if a newer version has migrated it and this
 * version does not work with it. The names are numbered, so they sort in the order of the migrations.
 */
async function assertUsable(
  transaction: Db,
  applied: readonly string[],
  names: readonly string[],
): Promise<void> {
  const unknown = applied.filter((name) => !names.includes(name));
  if (unknown.length === 0) return;
  if (applied.toSorted().some((name, i) => name !== (names[i] ?? name)))
    throw new StartupError(
      `The migrations of the database (${applied.toSorted().join(', ')}) are not those of this server (${names.join(', ')}): another program has made it, or another branch or an early version of this one. Set the address of another database, or start the program that made it.`,
    );
  const usable = await namesIn(transaction, 'migration_compatibility', sql`oldest <= ${names.at(-1)}`);
  const unusable = unknown.filter((name) => !usable.includes(name));
  if (unusable.length === 0) return;
  throw new StartupError(
    `A newer version of this server has changed the database (${unusable.join(', ')}) so that this version cannot use it. Start the newer version.`,
  );
}

/** The key that signs the addresses of charts. A migration has created it. */
export async function readChartLinkKey(db: Db): Promise<string> {
  const { rows } = await sql<{ secret: string }>`select secret from chart_link_key`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('The table chart_link_key is empty. Restore its row from a backup.');
  return row.secret;
}
