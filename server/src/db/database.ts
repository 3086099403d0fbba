import type { ConstructorOptions } from 'pg-boss';
import type { Config } from '../config.ts';
import { openPglite } from './pglite.ts';
import { openPostgres } from './postgres.ts';
import type { Db } from './tables.ts';

export interface Database {
  readonly db: Db;
  readonly engine: 'PGlite' | 'Postgres';
  /** How a job queue reaches the same database. */
  readonly jobs: ConstructorOptions;
  close(): Promise<void>;
}

/** Opens the configured database: a Postgres server, or the embedded one in the data folder. */
export async function openDatabase(config: Config, onIdleError: (error: Error) => void): Promise<Database> {
  if (config.database.url === undefined) return { engine: 'PGlite', ...(await openPglite(config.dataDir)) };
  const db = openPostgres(config.database.url, config.database, onIdleError);
  const jobs = {
    connectionString: config.database.url,
    connectionTimeoutMillis: config.database.poolWaitMs,
    application_name: 'worktable-jobs',
    max: 3,
  };
  return { engine: 'Postgres', db, jobs, close: () => db.destroy() };
}
