import type { ConstructorOptions } from 'pg-boss';
import type { Config } from '../config.ts';
import { StartupError } from '../environment.ts';
import { Problem } from '../errors.ts';
import { driversReason, isForbidden, isReadOnly } from './errors.ts';
import { migrateJobs } from './jobs.ts';
import { withMigrationLock, migrate } from './migrate.ts';
import { openPglite } from './pglite/pglite.ts';
import { openPostgres, type PoolUse } from './postgres/postgres.ts';
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
  const postgres = openPostgres(config.database.url, config.database, onBrokenConnection);
  const jobs = {
    connectionString: config.database.url,
    connectionTimeoutMillis: config.database.poolWaitMs,
    application_name: 'worktable-jobs',
    max: 3,
    // The queue hands these on to its pool. Without them it would wait for ever for a server that is silent.
    query_timeout: 30_000,
    keepAlive: true,
  };
  return { engine: 'Postgres', ...postgres, jobs };
}

/**
 * Brings the schema and the job queue up to date and returns the names of the migrations that ran. On Postgres by a
 * connection of its own: the limit that `send` sets to a statement cannot be lifted.
 */
export async function migrateDatabase(config: Config, { db, jobs }: Database): Promise<string[]> {
  const { url } = config.database;
  const patient =
    url === undefined ? undefined : openPostgres(url, { ...config.database, statementTimeoutMs: 0 });
  try {
    const names = await migrate(patient?.db ?? db);
    // The embedded database has one connection, and nobody to wait for.
    if (patient === undefined) await migrateJobs(jobs);
    else await withMigrationLock(patient.db, () => migrateJobs(jobs));
    return names;
  } catch (error) {
    throw startFailure(error, config);
  } finally {
    await patient?.close();
  }
}

/** What stops a start: a sentence for the operator where it is the database. */
export function startFailure(error: unknown, { database }: Config): unknown {
  if (!(error instanceof Problem)) return error;
  return new StartupError(`${adviceOn(error, database.url)} ${driversReason(error)}`, { cause: error });
}

function adviceOn(error: Problem, url: string | undefined): string {
  if (isForbidden(error)) {
    return 'This database user may not create tables, or not use those that are there. Run `npm run migrate` as their owner and grant rights; see server/README.md.';
  }
  if (isReadOnly(error)) {
    return 'The database is read-only. Set DATABASE_URL to the server that takes changes, or end its default_transaction_read_only.';
  }
  return `The database cannot be used. Check ${url === undefined ? 'DATA_DIR' : 'DATABASE_URL'}.`;
}
