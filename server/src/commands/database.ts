import type { Config } from '../config/config.ts';
import { distributeTables, hasCitus } from '../db/citus.ts';
import { copyAllUsers } from '../db/copy.ts';
import { assertNoServers, databaseName, migrateDatabase, type Database } from '../db/database.ts';
import { assertMigrated, withMigrationLock } from '../db/migrate.ts';
import { StartupError } from '../lib/startup-error.ts';
import { readUserIds } from '../db/user-rows.ts';
import { recountTasks } from '../tasks/count.ts';
import { describeRows, targetOf, withDatabase, withOpened } from './open.ts';

export async function migrate(config: Config): Promise<void> {
  const names = await withOpened(config, (opened) => migrateDatabase(config, opened, console.error), true);
  console.log(names.length === 0 ? 'The database is up to date.' : `Migrated: ${names.join(', ')}.`);
}

export async function distribute(config: Config): Promise<void> {
  console.log(await withOpened(config, distributeOpened));
}

/** Distributes users' rows over the nodes of a Citus cluster. Throws if the database is not ready for this. */
async function distributeOpened({ db, engine }: Database): Promise<string> {
  if (engine === 'PGlite')
    throw new StartupError(
      'The embedded database cannot be distributed. Set DATABASE_URL to the coordinator of a Citus cluster.',
    );
  if (!(await hasCitus(db)))
    throw new StartupError(
      'This database does not have the extension citus. Set DATABASE_URL to the coordinator of a Citus cluster, and run `create extension citus` on each of its nodes.',
    );
  await assertMigrated(db);
  const names = await withMigrationLock(db, distributeTables);
  return names.length === 0
    ? 'The tables are already distributed.'
    : `Distributed these tables over the workers: ${names.join(', ')}. ${restart}`;
}

const restart =
  'Restart servers that are running: until then, each of their transactions may write rows of several users, which is slow on several nodes.';

/** Copies the whole database to another one, so that servers can use the copy instead. */
export async function move(config: Config, to: string | undefined): Promise<void> {
  const target = targetOf(config, to);
  const counts = await withDatabase(config, async (source) => {
    await assertNoServers(source);
    return withDatabase(target, (empty) => copyAllUsers(source, empty), true);
  });
  console.log(
    `Copied ${describeRows(counts)}. Start servers on ${databaseName(target)} only: servers on both databases would execute unfinished runs twice.`,
  );
}

/** Corrects the counters of all users. */
export async function recount(config: Config): Promise<void> {
  await withDatabase(config, async (db) => {
    let total = 0;
    for (const userId of await readUserIds(db)) {
      const wrong = await recountTasks(db, userId);
      if (wrong > 0) console.log(`Corrected ${wrong} counters of ${userId}.`);
      total += wrong;
    }
    if (total === 0) console.log('All counters are correct.');
  });
}
