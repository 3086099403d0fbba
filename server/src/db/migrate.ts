import { Migrator, type Migration } from 'kysely/migration';
import * as tasks from './migrations/001-tasks.ts';
import * as idempotencyKeys from './migrations/002-idempotency-keys.ts';
import * as agents from './migrations/003-agents.ts';
import * as rateLimits from './migrations/004-rate-limits.ts';
import * as taskCounts from './migrations/005-task-counts.ts';
import { SetupError } from '../environment.ts';
import type { Db } from './tables.ts';

const migrations: Record<string, Migration> = {
  '001-tasks': tasks,
  '002-idempotency-keys': idempotencyKeys,
  '003-agents': agents,
  '004-rate-limits': rateLimits,
  '005-task-counts': taskCounts,
};

/**
 * Brings the schema up to date and returns the names of the migrations that ran. Two processes that start at once
 * wait for each other: Kysely holds a lock in the database.
 */
export async function migrate(db: Db): Promise<string[]> {
  await refuseNewerSchema(db);
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } });
  const { error, results } = await migrator.migrateToLatest();
  if (error !== undefined) throw new Error('The database could not be migrated.', { cause: error });
  return (results ?? []).map((result) => result.migrationName);
}

async function refuseNewerSchema(db: Db): Promise<void> {
  const unknown = (await appliedMigrations(db)).filter((name) => !(name in migrations));
  if (unknown.length === 0) return;
  throw new SetupError(
    `The database was migrated by a newer version of this server (${unknown.join(', ')}). Start that version.`,
  );
}

async function appliedMigrations(db: Db): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some((table) => table.name === 'kysely_migration')) return [];
  const rows = await db
    .$extendTables<{ kysely_migration: { name: string } }>()
    .selectFrom('kysely_migration')
    .select('name')
    .execute();
  return rows.map((row) => row.name);
}
