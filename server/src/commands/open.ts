import type { Config } from '../config/config.ts';
import { settingsWarnings } from '../config/warnings.ts';
import {
  assertUsable,
  commandOptions,
  databaseName,
  migrateDatabase,
  openDatabase,
  startFailure,
  type Database,
} from '../db/database.ts';
import { assertMigrated } from '../db/migrate.ts';
import type { Db } from '../db/tables.ts';

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

/** Opens the database of a command, after it has been named and the settings have been checked. */
export function openNamed(
  config: Config,
  { isTarget = false, mayCreate = false }: Opening = {},
): Promise<Database> {
  nameDatabase(config, isTarget);
  if (!isTarget) for (const sentence of settingsWarnings()) console.error(sentence);
  return openDatabase(config, { ...commandOptions, mayCreate });
}

/**
 * Runs a function on a database that a server of this version could use. A database that may be created is migrated
 * first. It connects under another name than servers, so that streams of changes do not wait for its transactions.
 */
export async function withDatabase<Result>(
  config: Config,
  run: (db: Db) => Promise<Result>,
  opening: Opening = {},
): Promise<Result> {
  const limits = { statementTimeoutMs: 0, lockTimeoutMs: 0, idleTransactionTimeoutMs: 0 };
  const untimed = { ...config, database: { ...config.database, ...limits } };
  const database = await openNamed(untimed, opening);
  try {
    if (opening.mayCreate === true) await migrateDatabase(untimed, database, console.error);
    else await assertUsable(untimed, database, console.error);
    await assertMigrated(database.db);
    return await run(database.db);
  } catch (error) {
    throw startFailure(error, config);
  } finally {
    await database.close();
  }
}
