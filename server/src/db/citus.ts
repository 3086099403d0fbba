import { sql } from 'kysely';
import { userTableNames, type Db } from './tables.ts';

/** One statement claims a turn of any user, so `session_turns` stays on the coordinator. */
const distributedNames = userTableNames.filter((name) => name !== 'session_turns');

export async function hasCitus(db: Db): Promise<boolean> {
  const { rows } = await sql`select from pg_extension where extname = 'citus'`.execute(db);
  return rows.length > 0;
}

/** The database, and whether users' rows are distributed over the nodes of a Citus cluster. */
export interface Cluster {
  readonly db: Db;
  readonly isDistributed: boolean;
}

/** Resolves to true if users' rows are distributed over the nodes of a Citus cluster. */
export async function isDistributed(db: Db): Promise<boolean> {
  return (await hasCitus(db)) && (await findDistributed(db)).length > 0;
}

/**
 * Distributes users' tables by `user_id`, so that all rows of a user are on one node. Resolves to the names of the tables
 * that were not distributed before. Other tables stay on the coordinator.
 */
export async function distributeTables(transaction: Db): Promise<string[]> {
  const distributed = await findDistributed(transaction);
  const missing = distributedNames.filter((name) => !distributed.includes(name));
  if (missing.length === 0) return [];
  // Lock all tables before copying the first. Otherwise a writer could hold a later table and wait for an earlier one:
  // a deadlock.
  await sql`lock table ${sql.join(missing.map((name) => sql.table(name)))}`.execute(transaction);
  for (const name of missing) {
    const colocation = name === 'tasks' ? 'none' : 'tasks';
    await sql`select create_distributed_table(${name}::regclass, 'user_id', colocate_with => ${colocation})`.execute(
      transaction,
    );
  }
  // The nodes have copies of the rows, so the originals only take up space.
  for (const name of missing)
    await sql`select truncate_local_data_after_distributing_table(${name}::regclass)`.execute(transaction);
  return missing;
}

async function findDistributed(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_dist_partition join pg_class on pg_class.oid = logicalrelid
    where partmethod = 'h' and pg_table_is_visible(logicalrelid)`.execute(db);
  return rows.map(({ name }) => name);
}
