import type { Config } from '../config/config.ts';
import { copyAllUsers } from '../db/copy.ts';
import { databaseName, migrateDatabase } from '../db/database.ts';
import { distribute as distributeDatabase } from '../db/distribute.ts';
import { assertNoServers } from '../db/servers.ts';
import { readUserIds } from '../db/user-rows.ts';
import { recountTasks } from '../tasks/count.ts';
import type { Arguments } from './arguments.ts';
import { describeRows, targetOf, withDatabase, withOpened } from './open.ts';

export async function migrate(config: Config): Promise<void> {
  const names = await withOpened(config, (opened) => migrateDatabase(config, opened, console.error), true);
  console.log(names.length === 0 ? 'The database is up to date.' : `Migrated: ${names.join(', ')}.`);
}

export async function distribute(config: Config): Promise<void> {
  console.log(await withOpened(config, distributeDatabase));
}

/** Copies the whole database to another one, so that servers can use the copy instead. */
export async function move(config: Config, { get }: Arguments): Promise<void> {
  const target = targetOf(config, get('to'));
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
