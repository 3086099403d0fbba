import { sql } from 'kysely';
import type { Config } from '../config/config.ts';
import { StartupError } from '../lib/startup-error.ts';
import { Problem } from '../contract/problem.ts';
import { driverMessage } from './errors.ts';
import { liftTimeLimits, migrate, serverMigrations } from './migrate.ts';
import { openInMemory, openPglite, type EmbeddedDatabase } from './pglite/pglite.ts';
import {
  keepsPreparedStatements,
  openPostgres,
  type PoolOptions,
  type PostgresDatabase,
} from './postgres/postgres.ts';
import { serverName } from './postgres/session-url.ts';
import type { Db } from './tables.ts';

export interface Database extends EmbeddedDatabase, Partial<Omit<PostgresDatabase, keyof EmbeddedDatabase>> {
  readonly engine: 'PGlite' | 'Postgres';
  /** How many bytes a search may read; undefined if the time limit of statements bounds searches. */
  readonly searchBytesMax: number | undefined;
}

/**
 * Opens the configured database: a Postgres server, or an embedded database in memory or in the data folder. Creates a
 * missing database in the folder only if `mayCreate` is set. An embedded database blocks this process while it reads:
 * searching 8 MiB takes a fifth of a second.
 */
export async function openDatabase(
  config: Config,
  { mayCreate = false, ...options }: PoolOptions & { readonly mayCreate?: boolean } = {},
): Promise<Database> {
  const { url } = config.database;
  if (url === undefined) {
    const { dataDir } = config;
    const embedded = config.database.isInMemory ? openInMemory(dataDir) : openPglite(dataDir, mayCreate);
    return { engine: 'PGlite', searchBytesMax: 8 * 1024 * 1024, ...(await embedded) };
  }
  // Without a name, the driver would use the database that is named after the user.
  if (new URL(url).pathname.length <= 1)
    throw new StartupError(
      'DATABASE_URL names no database. Append the name, as in postgres://user:password@host:5432/worktable.',
    );
  const keepsStatements = await keepsPreparedStatements(url, config.database);
  const postgres = openPostgres(url, config.database, { ...options, keepsStatements });
  return { engine: 'Postgres', searchBytesMax: undefined, ...postgres };
}

/** The configured database as operators know it, without the user and the password. */
export function databaseName({ database: { url, isInMemory }, dataDir }: Config): string {
  if (url !== undefined) return `Postgres ${serverName(url)}`;
  return `embedded, in ${isInMemory ? 'memory' : dataDir}`;
}

/** Commands and migrations connect under another name than servers. */
export const commandOptions: PoolOptions = { applicationName: 'worktable-command' };

/**
 * Updates the schema. Resolves to the names of the migrations that ran. Calls `warn` with a sentence for the operator
 * if another transaction blocks the migrations. On Postgres, opens a second pool, without time limits, because the
 * limits of an open pool cannot be changed.
 */
export async function migrateDatabase(
  config: Config,
  database: Database,
  warn: (sentence: string) => void,
  migrations = serverMigrations,
): Promise<string[]> {
  const onBlocked = (): void => {
    warn(
      'Another transaction, such as that of pg_dump, uses a table that the migrations change. They are tried again every 5 seconds.',
    );
  };
  const { url } = config.database;
  if (url === undefined) return migrate(database.db, migrations, onBlocked);
  const options = { ...commandOptions, keepsStatements: false };
  const untimed = openPostgres(url, withoutTimeLimits(config).database, options);
  return migrate(untimed.db, migrations, onBlocked).finally(untimed.close);
}

/** The configuration of commands and migrations, whose statements have no time limit. */
export function withoutTimeLimits(config: Config): Config {
  const limits = { statementTimeoutMs: 0, lockTimeoutMs: 0, idleTransactionTimeoutMs: 0 };
  return { ...config, database: { ...config.database, ...limits } };
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

/** Converts the error of a failed start: a failure of the database becomes a StartupError with advice for operators. */
export function startFailure(error: unknown, { database }: Config): unknown {
  if (!(error instanceof Problem)) return error;
  const sentence = `The database cannot be used. Check ${database.setting}.`;
  return new StartupError(`${sentence} ${driverMessage(error)}`, { cause: error });
}

/** Throws if servers are connected. They have a name of their own, to which a pooler may append an address. */
export async function assertNoServers(db: Db): Promise<void> {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and application_name ~ '^worktable( |$)'`.execute(db);
  if (rows.length > 0)
    throw new StartupError(
      'Servers are connected to the database. Stop them, so that nothing is written meanwhile. Connections that a pooler keeps also count: send `RECONNECT` on the console of PgBouncer.',
    );
}
