import type { ConstructorOptions } from 'pg-boss';
import type { Config } from '../config.ts';
import { StartupError } from '../environment.ts';
import { Problem } from '../errors.ts';
import { driverMessage, isForbidden, isReadOnly } from './errors.ts';
import { migrateJobs } from './jobs.ts';
import { withMigrationLock, migrate } from './migrate.ts';
import { openPglite } from './pglite/pglite.ts';
import { openPostgres, type PoolStats } from './postgres/postgres.ts';
import type { ReadTarget } from './read.ts';

export interface Database extends ReadTarget {
  readonly engine: 'PGlite' | 'Postgres';
  /** The options with which a job queue connects to the same database. */
  readonly jobs: ConstructorOptions;
  /** Of a Postgres server; the embedded database has no pool. */
  readonly poolStats?: () => PoolStats;
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
    // The queue passes these to its pool. Without them it would wait forever for a server that does not answer.
    query_timeout: 30_000,
    keepAlive: true,
  };
  return { engine: 'Postgres', ...postgres, jobs };
}

/**
 * Brings the schema and the job queue up to date and returns the names of the migrations that ran. On Postgres it opens
 * another pool, because `QueryTimeout` cannot be switched off for single statements.
 */
export async function migrateDatabase(config: Config, { db, jobs }: Database): Promise<string[]> {
  const { url } = config.database;
  const untimed =
    url === undefined ? undefined : openPostgres(url, { ...config.database, statementTimeoutMs: 0 });
  try {
    const names = await migrate(untimed?.db ?? db);
    // The embedded database belongs to one process, so it needs no lock between processes.
    if (untimed === undefined) await migrateJobs(jobs);
    else await withMigrationLock(untimed.db, () => migrateJobs(jobs));
    return names;
  } catch (error) {
    throw startFailure(error, config);
  } finally {
    await untimed?.close();
  }
}

/** The error that a failed start throws: a StartupError with advice for the operator if the database failed. */
export function startFailure(error: unknown, { database }: Config): unknown {
  if (!(error instanceof Problem)) return error;
  return new StartupError(`${adviceOn(error, database.url)} ${driverMessage(error)}`, { cause: error });
}

function adviceOn(error: Problem, url: string | undefined): string {
  if (isForbidden(error)) {
    return 'This database user may not create tables, or may not use the existing ones. Run `npm run migrate` as their owner and grant rights; see server/README.md.';
  }
  if (isReadOnly(error)) {
    return 'The database is read-only. Set DATABASE_URL to the primary server, or switch its default_transaction_read_only off.';
  }
  return `The database cannot be used. Check ${url === undefined ? 'DATA_DIR' : 'DATABASE_URL'}.`;
}
