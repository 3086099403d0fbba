import { resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import { settings } from '../config/settings.ts';
import {
  commandOptions,
  databaseName,
  migrateDatabase,
  openDatabase,
  startFailure,
  withoutTimeLimits,
  type Database,
} from '../db/database.ts';
import { assertMigrated } from '../db/migrate.ts';
import { assertSessionSettings } from '../db/session-settings.ts';
import type { Db } from '../db/tables.ts';
import type { RowCounts } from '../db/user-rows.ts';
import { StartupError } from '../lib/startup-error.ts';

/** Names the database before anything is done, so that an operator notices a wrong one. */
export function nameDatabase(config: Config): void {
  console.error(`Database: ${databaseName(config)} (${config.database.setting})`);
}

/**
 * Names the database of a command, prints the warnings about settings, checks the settings of database sessions, and runs
 * a function on the database without time limits. Commands connect under another name than servers, so that streams of
 * changes do not wait for transactions of commands.
 */
export async function withOpened<Result>(
  config: Config,
  run: (database: Database) => Promise<Result>,
  mayCreate = false,
): Promise<Result> {
  nameDatabase(config);
  for (const sentence of config.warnings) console.error(sentence);
  try {
    const untimed = withoutTimeLimits(config);
    const database = await openDatabase(untimed, { ...commandOptions, mayCreate });
    try {
      await assertSessionSettings(database.db);
      return await run(database);
    } finally {
      await database.close();
    }
  } catch (error) {
    throw startFailure(error, config);
  }
}

/**
 * Runs a function on a database that a server of this version could use. With `mayCreate`, creates and migrates the
 * database first.
 */
export function withDatabase<Result>(
  config: Config,
  run: (db: Db) => Promise<Result>,
  mayCreate = false,
): Promise<Result> {
  const runMigrated = async (database: Database): Promise<Result> => {
    if (mayCreate) await migrateDatabase(config, database, console.error);
    await assertMigrated(database.db);
    return run(database.db);
  };
  return withOpened(config, runMigrated, mayCreate);
}

/** The configuration for `--to`: the address of a Postgres database, or the folder of an embedded one. */
export function targetOf(config: Config, to = ''): Config {
  // Without "://", an address would become the name of a new folder.
  if (to === '' || (to.startsWith('postgres') && !to.includes('://')))
    throw new StartupError(
      '--to must be the address of a Postgres, postgres://user:password@host:5432/database, or a folder, such as ./postgres.',
    );
  const database = { ...config.database, setting: '--to', url: undefined };
  // The warnings are about the settings, not about `--to`.
  const target = { ...config, warnings: [], database };
  if (!to.includes('://')) return { ...target, dataDir: resolve(to) };
  return { ...target, database: { ...database, url: settings.database.url.parse(to, '--to') } };
}

/** Describes numbers of rows in words. */
export function describeRows(counts: RowCounts): string {
  return counts.size === 0 ? 'nothing' : [...counts].map(([table, count]) => `${count} ${table}`).join(', ');
}
