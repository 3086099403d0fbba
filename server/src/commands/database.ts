import type { Config } from '../config/config.ts';
import { copyAllUsers } from '../db/copy.ts';
import { databaseName, distributeDatabase, migrateDatabase } from '../db/database.ts';
import { assertNoServers } from '../db/servers.ts';
import { readUserIds } from '../db/user-rows.ts';
import { recountTasks } from '../tasks/recount.ts';
import { openNamed, withDatabase } from './open.ts';
import { describeRows, targetOf } from './target.ts';

export async function migrate(config: Config): Promise<void> {
  const database = await openNamed(config, { mayCreate: true });
  try {
    const names = await migrateDatabase(config, database, console.error);
    console.log(names.length === 0 ? 'The database is up to date.' : `Migrated: ${names.join(', ')}.`);
  } finally {
    await database.close();
  }
}

export async function distribute(config: Config): Promise<void> {
  const database = await openNamed(config);
  try {
    console.log(await distributeDatabase(config, database));
  } finally {
    await database.close();
  }
}

/** Copies the whole database to another one, so that servers can use the copy instead. */
export async function move(config: Config, to: string): Promise<void> {
  const target = targetOf(config, to);
  const counts = await withDatabase(config, async (source) => {
    await assertNoServers(source);
    return withDatabase(target, (empty) => copyAllUsers(source, empty), { isTarget: true, mayCreate: true });
  });
  console.log(
    `Copied ${describeRows(counts)}. Start servers on ${databaseName(target)} only: servers on both databases would execute unfinished runs twice.`,
  );
}

/** Corrects the counters of all users. */
export async function recount(config: Config): Promise<void> {
  await withDatabase(config, async (db) => {
    let total = 0;
    for await (const userId of readUserIds(db)) {
      const wrong = await recountTasks(db, userId);
      if (wrong > 0) console.log(`Corrected ${wrong} counters of ${userId}.`);
      total += wrong;
    }
    if (total === 0) console.log('All counters are correct.');
  });
}
