import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import * as tasks from './migrations/001-tasks.ts';
import * as idempotencyKeys from './migrations/002-idempotency-keys.ts';
import * as agents from './migrations/003-agents.ts';
import * as rateLimits from './migrations/004-rate-limits.ts';
import * as taskCounts from './migrations/005-task-counts.ts';
import { lockKey } from './advisory-lock.ts';
import { StartupError } from '../environment.ts';
import { driverMessage } from './errors.ts';
import type { Db } from './tables.ts';

const migrations: Record<string, Migration> = {
  '001-tasks': tasks,
  '002-idempotency-keys': idempotencyKeys,
  '003-agents': agents,
  '004-rate-limits': rateLimits,
  '005-task-counts': taskCounts,
};

/**
 * Brings the schema up to date and returns the names of the migrations that ran. One transaction holds them all and the
 * lock by which processes that start at the same time wait for each other: the lock of Kysely's migrator belongs to a
 * session, which a pooler in transaction mode does not keep. The table `kysely_migration` has Kysely's format.
 */
export async function migrate(db: Db): Promise<string[]> {
  return withMigrationLock(db, async (transaction) => {
    const applied = await appliedMigrations(transaction);
    assertKnownMigrations(applied);
    const missing = Object.entries(migrations).filter(([name]) => !applied.includes(name));
    for (const [name, migration] of missing) {
      await migration.up(transaction).catch((cause: unknown) => {
        const sentence = `The migration ${name} failed, and the database was not changed.`;
        throw new StartupError(`${sentence} ${driverMessage(cause)}`, { cause });
      });
      await sql`insert into kysely_migration values (${name}, now()::text)`.execute(transaction);
    }
    return missing.map(([name]) => name);
  });
}

/** Whether all migrations of this version have run. A newer version may have run more. */
export async function isMigrated(db: Db): Promise<boolean> {
  const recorded = await recordedMigrations(db);
  return Object.keys(migrations).every((name) => recorded.includes(name));
}

/** Runs a function in a transaction that holds the migration lock and has none of the requests' time limits. */
export function withMigrationLock<Result>(
  db: Db,
  run: (transaction: Db) => Promise<Result>,
): Promise<Result> {
  return db.transaction().execute(async (transaction) => {
    const limits = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];
    await sql`select set_config(name, '0', true) from unnest(${limits}::text[]) name`.execute(transaction);
    await sql`select pg_advisory_xact_lock(${lockKey('migrations')})`.execute(transaction);
    return run(transaction);
  });
}

async function appliedMigrations(transaction: Db): Promise<string[]> {
  const record = sql<{
    exists_already: boolean;
  }>`select to_regclass('kysely_migration') is not null as exists_already`;
  const { rows } = await record.execute(transaction);
  if (rows[0]?.exists_already === true) {
    return recordedMigrations(transaction);
  }
  await sql`
    create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)
  `.execute(transaction);
  return [];
}

async function recordedMigrations(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  return rows.map(({ name }) => name);
}

function assertKnownMigrations(applied: readonly string[]): void {
  const unknown = applied.filter((name) => !(name in migrations));
  if (unknown.length === 0) return;
  throw new StartupError(
    `The database was migrated by a newer version of this server (${unknown.join(', ')}). Start that version.`,
  );
}
