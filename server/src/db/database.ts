import type { ConstructorOptions } from 'pg-boss';
import type { Config } from '../config.ts';
import { SetupError } from '../environment.ts';
import { Problem } from '../errors.ts';
import { migrateJobs } from './jobs.ts';
import { inTurn, migrate } from './migrate.ts';
import { openPglite } from './pglite.ts';
import { openPostgres, type PoolUse } from './postgres.ts';
import type { Db } from './tables.ts';

export interface Database {
  readonly db: Db;
  readonly engine: 'PGlite' | 'Postgres';
  /** How a job queue reaches the same database. */
  readonly jobs: ConstructorOptions;
  /** Of a Postgres server; the embedded database has no pool. */
  readonly poolUse?: () => PoolUse;
  close(): Promise<void>;
}

/** Opens the configured database: a Postgres server, or the embedded one in the data folder. */
export async function openDatabase(
  config: Config,
  onBrokenConnection: (error: Error) => void,
): Promise<Database> {
  if (config.database.url === undefined) return { engine: 'PGlite', ...(await openPglite(config.dataDir)) };
  const { db, poolUse } = openPostgres(config.database.url, config.database, onBrokenConnection);
  const jobs = {
    connectionString: config.database.url,
    connectionTimeoutMillis: config.database.poolWaitMs,
    application_name: 'worktable-jobs',
    max: 3,
  };
  return { engine: 'Postgres', db, jobs, poolUse, close: () => db.destroy() };
}

/** Brings the schema and the job queue up to date and returns the names of the migrations that ran. */
export async function migrateDatabase({ db, engine, jobs }: Database): Promise<string[]> {
  try {
    const names = await migrate(db);
    // The embedded database has one connection, and nobody to wait for.
    if (engine === 'PGlite') await migrateJobs(jobs);
    else await inTurn(db, () => migrateJobs(jobs));
    return names;
  } catch (error) {
    throw error instanceof Problem ? refusal(error) : error;
  }
}

/** At the start the operator is there to mend it, so the driver's reason is told. */
function refusal(error: Problem): SetupError {
  return new SetupError(
    `The database cannot be used. Check DATABASE_URL. Its driver says: ${String(error.cause)}`,
  );
}
