import { resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import { settings } from '../config/settings.ts';
import { settingsWarnings } from '../config/warnings.ts';
import { checkUsable } from '../db/checks.ts';
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
import type { Db } from '../db/tables.ts';
import type { RowCounts } from '../db/user-rows.ts';
import { StartupError } from '../lib/startup-error.ts';

interface Opening {
  /** True for the database of `--to`. */
  readonly isTarget?: boolean;
  readonly mayCreate?: boolean;
}

/** Names the database before anything is done, so that an operator notices a wrong one. */
export function nameDatabase(config: Config, isTarget = false): void {
  const { url, isInMemory } = config.database;
  const setting = url === undefined ? 'DATA_DIR' : 'DATABASE_URL';
  console.error(`Database: ${databaseName(config)} (${isTarget ? '--to' : isInMemory ? '--demo' : setting})`);
}

/**
 * Runs a function on the database of a command, without time limits, after it has been named and the settings have been
 * checked.
 */
export async function withOpened<Result>(
  config: Config,
  run: (database: Database, untimed: Config) => Promise<Result>,
  { isTarget = false, mayCreate = false }: Opening = {},
): Promise<Result> {
  nameDatabase(config, isTarget);
  if (!isTarget) for (const sentence of settingsWarnings()) console.error(sentence);
  try {
    const untimed = withoutTimeLimits(config);
    const database = await openDatabase(untimed, { ...commandOptions, mayCreate });
    return await run(database, untimed).finally(() => database.close());
  } catch (error) {
    throw startFailure(error, config);
  }
}

/**
 * Runs a function on a database that a server of this version could use. A database that may be created is migrated
 * first. It connects under another name than servers, so that streams of changes do not wait for its transactions.
 */
export function withDatabase<Result>(
  config: Config,
  run: (db: Db) => Promise<Result>,
  opening: Opening = {},
): Promise<Result> {
  const runMigrated = async (database: Database, untimed: Config): Promise<Result> => {
    if (opening.mayCreate === true) await migrateDatabase(untimed, database, console.error);
    else for (const sentence of await checkUsable(untimed, database)) console.error(sentence);
    await assertMigrated(database.db);
    return run(database.db);
  };
  return withOpened(config, runMigrated, opening);
}

/** The configuration for `--to`: the address of a Postgres database, or the folder of an embedded one. */
export function targetOf(config: Config, to: string): Config {
  if (/^postgres/i.test(to) && !to.includes('://'))
    throw new StartupError(
      '--to begins like the address of a Postgres, but lacks "://". Write postgres://user:password@host:5432/database, or a folder of that name as ./postgres.',
    );
  if (!to.includes('://'))
    return { ...config, dataDir: resolve(to), database: { ...config.database, url: undefined } };
  return { ...config, database: { ...config.database, url: settings.database.url.parse(to, '--to') } };
}

/** Describes numbers of rows in words. */
export function describeRows(counts: RowCounts): string {
  return counts.size === 0 ? 'nothing' : [...counts].map(([table, count]) => `${count} ${table}`).join(', ');
}
