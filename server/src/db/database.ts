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
    // The queue hands these on to its pool. Without them it would wait for ever for a server that is silent.
    query_timeout: 30_000,
    keepAlive: true,
  };
  return { engine: 'Postgres', db, jobs, poolUse, close: () => db.destroy() };
}

/**
 * Brings the schema and the job queue up to date and returns the names of the migrations that ran. On Postgres by a
 * connection of its own: the driver's time limit for a statement cannot be lifted.
 */
export async function migrateDatabase(config: Config, { db, jobs }: Database): Promise<string[]> {
  const { url } = config.database;
  const patient =
    url === undefined ? undefined : openPostgres(url, { ...config.database, statementTimeoutMs: 0 });
  try {
    const names = await migrate(patient?.db ?? db);
    // The embedded database has one connection, and nobody to wait for.
    if (patient === undefined) await migrateJobs(jobs);
    else await inTurn(patient.db, () => migrateJobs(jobs));
    return names;
  } catch (error) {
    throw error instanceof Problem ? refusal(error) : error;
  } finally {
    await patient?.db.destroy();
  }
}

/** At the start the operator is there to mend it, so the driver's reason is told. */
function refusal(error: Problem): SetupError {
  return new SetupError(
    `The database cannot be used. Check DATABASE_URL. Its driver says: ${String(error.cause)}`,
  );
}
