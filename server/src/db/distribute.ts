import { sql } from 'kysely';
import { StartupError } from '../lib/startup-error.ts';
import { distributeTables, hasCitus } from './citus.ts';
import type { Database } from './database.ts';
import { assertMigrated, withMigrationLock } from './migrate.ts';
import { hasServers } from './servers.ts';
import type { Db } from './tables.ts';

/**
 * Distributes users' rows over the nodes of a Citus cluster, and resolves to a sentence about the result. Throws a
 * StartupError and changes nothing if the database is not ready for this.
 */
export async function distribute({ db, engine }: Database): Promise<string> {
  if (engine === 'PGlite')
    throw new StartupError(
      'The embedded database cannot be distributed. Set DATABASE_URL to the coordinator of a Citus cluster.',
    );
  if (!(await hasCitus(db)))
    throw new StartupError(
      'This database does not have the extension citus. Set DATABASE_URL to the coordinator of a Citus cluster, and run `create extension citus` on each of its nodes.',
    );
  const workers = await countWorkers(db);
  await assertMigrated(db);
  const names = await withMigrationLock(db, distributeTables);
  if (names.length === 0)
    return `The tables are already distributed over ${nodes(workers)}. Nothing was changed.`;
  const done = `Distributed over ${nodes(workers)}: ${names.join(', ')}.`;
  return (await hasServers(db)) ? `${done} ${restart}` : done;
}

const restart =
  'Servers are connected to this database. Restart them: until then, each of their transactions may write rows of several users, which is slow on several nodes.';

function nodes(count: number): string {
  return count === 1 ? '1 worker' : `${count} workers`;
}

async function countWorkers(db: Db): Promise<number> {
  const { rows } = await sql<{ is_coordinator: boolean; workers: number }>`
    select citus_is_coordinator() as is_coordinator,
      (select count(*)::int from citus_get_active_worker_nodes()) as workers`.execute(db);
  const [{ is_coordinator: isCoordinator, workers } = { is_coordinator: false, workers: 0 }] = rows;
  if (!isCoordinator)
    throw new StartupError(
      'This is not the coordinator of the Citus cluster. Set DATABASE_URL to the coordinator.',
    );
  if (workers === 0)
    throw new StartupError(
      "The Citus cluster has no worker. Add one on the coordinator with `select citus_add_node('HOST', 5432)`.",
    );
  return workers;
}
