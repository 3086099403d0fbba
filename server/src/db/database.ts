import type { ConstructorOptions } from 'pg-boss';
import type { Config } from '../config/config.ts';
import { program } from '../program.ts';
import { StartupError } from '../startup-error.ts';
import { Problem } from '../errors.ts';
import { distribute } from './distribute.ts';
import { checkEncoding } from './encoding.ts';
import { driverMessage, hasSqlState } from './errors.ts';
import { migrateJobs } from './jobs.ts';
import { assertMigrated, liftTimeLimits, migrate, serverMigrations, withMigrationLock } from './migrate.ts';
import { openInMemory, openPglite } from './pglite/pglite.ts';
import { assertKeepsStatements, findMissingTimeLimits } from './postgres/pooler.ts';
import {
  connectionOptions,
  lifetimeSeconds,
  openPostgres,
  type PoolOptions,
  type PoolStats,
} from './postgres/postgres.ts';
import { assertUsableUrl, sessionUrl } from './postgres/session-url.ts';
import { assertSessionSettings } from './session-settings.ts';
import type { Db } from './tables.ts';

export interface Database {
  readonly db: Db;
  readonly engine: 'PGlite' | 'Postgres';
  /** The limit of bytes that a search may read; undefined if statements have a time limit. */
  readonly searchBytesMax: number | undefined;
  /** The options with which a job queue connects to the same database. */
  readonly jobs: ConstructorOptions;
  /** Saves the tables of a new in-memory database for the next start; undefined for other databases. */
  readonly keepTables?: () => Promise<void>;
  /** The pool of connections to a Postgres server; undefined for the embedded database. */
  readonly poolStats?: () => PoolStats;
  /**
   * Marks all connections to a Postgres server as outdated after one was read-only. Each is replaced before its next
   * use.
   */
  readonly replaceConnections?: () => void;
  close(): Promise<void>;
}

/**
 * Opens the configured database: a Postgres server, or the embedded database in the data folder. The embedded database
 * blocks this process while it reads: searching 8 MiB takes a fifth of a second.
 */
export async function openDatabase(config: Config, options: PoolOptions = {}): Promise<Database> {
  if (config.database.url === undefined) {
    const embedded = config.database.isInMemory ? openInMemory(config.dataDir) : openPglite(config.dataDir);
    return { engine: 'PGlite', searchBytesMax: 8 * 1024 * 1024, ...(await embedded) };
  }
  assertUsableUrl(config.database.url);
  const postgres = openPostgres(config.database.url, config.database, options);
  const jobs = {
    connectionString: sessionUrl(config.database.url, { statement_timeout: queueTimeoutMs }),
    connectionTimeoutMillis: config.database.poolWaitMs,
    application_name: 'worktable-jobs',
    max: 3,
    // The queue passes this to its pool. Without it, the pool would wait forever for a server that does not respond.
    query_timeout: queueTimeoutMs,
    keepAlive: true,
    maxLifetimeSeconds: lifetimeSeconds,
  };
  return { engine: 'Postgres', searchBytesMax: undefined, ...postgres, jobs };
}

const queueTimeoutMs = 30_000;

/** Commands and migrations connect under another name than servers. */
export const commandOptions: PoolOptions = { applicationName: 'worktable-command' };

/**
 * Updates the schema and the job queue. Resolves to the names of the migrations that ran. Calls `warn` with sentences
 * for the operator.
 */
export async function migrateDatabase(
  config: Config,
  database: Database,
  warn: (sentence: string) => void,
  migrations = serverMigrations,
): Promise<string[]> {
  const { jobs, engine } = database;
  await assertUsable(config, database, warn);
  return withoutTimeLimits(config, database, async (db) => {
    const names = await migrate(db, migrations, () => {
      warn(blocked);
    });
    // One process at a time uses the embedded database, so no lock is needed.
    if (engine === 'PGlite') await migrateJobs(jobs);
    else await withMigrationLock(db, () => migrateJobs(jobs));
    await database.keepTables?.();
    return names;
  });
}

/**
 * Throws a StartupError if a server would lose data or return wrong data with this database. Calls `warn` with
 * sentences for the operator.
 */
export async function assertUsable(
  config: Config,
  { db, engine }: Database,
  warn: (sentence: string) => void,
): Promise<void> {
  await assertPoolerWorks(config);
  try {
    await assertSessionSettings(db);
    await checkEncoding(db, warn);
    if (engine === 'Postgres') await warnOfMissingTimeLimits(db, warn);
  } catch (error) {
    throw startFailure(error, config);
  }
}

/** A pooler may ignore the time limits that a connection requests. */
async function warnOfMissingTimeLimits(db: Db, warn: (sentence: string) => void): Promise<void> {
  const names = await findMissingTimeLimits(db);
  if (names.length > 0)
    warn(
      `The database does not apply these time limits: ${names.join(', ')}. Set them on the role; see server/README.md.`,
    );
}

const blocked =
  'Another transaction, such as that of pg_dump, uses a table that the migrations change. They are tried again every 5 seconds.';

async function assertPoolerWorks(config: Config): Promise<void> {
  const { url, preparedStatements } = config.database;
  if (url === undefined || !preparedStatements) return;
  await assertKeepsStatements(connectionOptions(url, config.database)).catch((error: unknown) => {
    throw startFailure(error, config);
  });
}

/** Distributes the tables over the nodes of a Citus cluster. Resolves to a sentence about the result. */
export function distributeDatabase(config: Config, database: Database): Promise<string> {
  if (database.engine === 'PGlite')
    throw new StartupError(
      'The embedded database cannot be distributed. Set DATABASE_URL to the coordinator of a Citus cluster.',
    );
  return withoutTimeLimits(config, database, distribute);
}

/**
 * Runs a function without time limits. On Postgres this needs another pool, because the time limit belongs to the pool.
 */
async function withoutTimeLimits<Result>(
  config: Config,
  { db }: Database,
  run: (db: Db) => Promise<Result>,
): Promise<Result> {
  const { url } = config.database;
  const untimed =
    url === undefined
      ? undefined
      : openPostgres(url, { ...config.database, statementTimeoutMs: 0 }, commandOptions);
  try {
    return await run(untimed?.db ?? db);
  } catch (error) {
    throw startFailure(error, config);
  } finally {
    await untimed?.close();
  }
}

/**
 * Runs a function on the configured database, which must have the schema of this version. It connects under another
 * name than servers, so that streams of changes do not wait for its transactions.
 */
export async function withDatabase<Result>(
  config: Config,
  run: (db: Db) => Promise<Result>,
): Promise<Result> {
  const untimed = { statementTimeoutMs: 0, lockTimeoutMs: 0, idleTransactionTimeoutMs: 0 };
  const database = await openDatabase(
    { ...config, database: { ...config.database, ...untimed } },
    commandOptions,
  );
  try {
    await assertMigrated(database.db);
    return await run(database.db);
  } catch (error) {
    throw startFailure(error, config);
  } finally {
    await database.close();
  }
}

/** Runs a function in a transaction that reads one snapshot of the database. */
export function withSnapshot<Result>(db: Db, read: (snapshot: Db) => Promise<Result>): Promise<Result> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (snapshot) => {
      await liftTimeLimits(snapshot);
      return read(snapshot);
    });
}

/** The error that a failed start throws. If the database failed, it is a StartupError with advice for the operator. */
export function startFailure(error: unknown, { database }: Config): unknown {
  if (!(error instanceof Problem)) return error;
  return new StartupError(`${adviceOn(error, database.url)} ${driverMessage(error)}`, { cause: error });
}

function adviceOn(error: Problem, url: string | undefined): string {
  if (hasSqlState(error, 'insufficient_privilege')) {
    return `This database user may not create tables, or may not use the existing ones. Run \`${program} migrate\` as their owner and grant rights; see server/README.md.`;
  }
  if (hasSqlState(error, 'read_only_sql_transaction')) {
    return 'The database is read-only. Set DATABASE_URL to the primary server, or switch its default_transaction_read_only off.';
  }
  return `The database cannot be used. Check ${url === undefined ? 'DATA_DIR' : 'DATABASE_URL'}.`;
}
