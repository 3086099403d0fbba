import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import type { DatabaseConfig } from '../../config/config.ts';
import { Problem } from '../../errors.ts';
import { connectionProblem, hasSqlState, hasStalePlan, isOutage, uncommittedProblem } from '../errors.ts';
import type { Db, Tables } from '../tables.ts';
import { timestampFromPostgres, timestamptzOid } from '../timestamps.ts';
import { kyselyOn } from './pool-executor.ts';
import { createQueryRunner, isQueryTimeout, type RunQuery } from './query-runner.ts';
import { sessionUrl } from './session-url.ts';

/** How many connections the pool has. */
export interface PoolStats {
  readonly open: number;
  readonly idle: number;
  /** Requests that wait for a connection. */
  readonly waiting: number;
}

interface PostgresDatabase {
  readonly db: Db;
  readonly poolStats: () => PoolStats;
  /** Marks all open connections as outdated after one was read-only. Each is replaced before its next use. */
  readonly replaceConnections: () => void;
  readonly close: () => Promise<void>;
}

export interface PoolOptions {
  /** The name under which a program other than a server connects. */
  readonly applicationName?: string;
  /** False behind a pooler that loses prepared statements. */
  readonly keepsStatements?: boolean;
  /** Called with each error that shows that the whole database fails. */
  readonly onOutage?: (error: unknown) => void;
  /** Called with the duration of each statement. */
  readonly onStatement?: (seconds: number) => void;
}

/** Connections are replaced after this time, because the address may lead to another server by now. */
const lifetimeSeconds = 600;

/** A pool of connections to a Postgres server. It connects with the first statement. */
export function openPostgres(
  url: string,
  config: DatabaseConfig,
  {
    onOutage = () => undefined,
    onStatement = () => undefined,
    applicationName,
    keepsStatements = true,
  }: PoolOptions = {},
): PostgresDatabase {
  const pool = new pg.Pool({
    ...connectionOptions(url, config),
    ...(applicationName === undefined ? {} : { application_name: applicationName }),
    max: config.poolSize,
    maxLifetimeSeconds: lifetimeSeconds,
  });
  // The pool replaces idle connections that break. Without a listener, the error would end the process.
  pool.on('error', onOutage);
  // A connection that breaks during use emits the error too, in addition to the failure of its statement.
  pool.on('connect', (client) => client.on('error', onOutage));
  const { onReadOnly, isOutdated } = watchReadOnly(pool);
  const runQuery = createQueryRunner(config, keepsStatements, onStatement, (problem) => {
    if (hasSqlState(problem, 'read_only_sql_transaction')) onReadOnly();
    if (isOutage(problem)) onOutage(problem.cause);
  });
  const openConnection = createConnector(pool, config.poolSize, onOutage);
  const connect = (): Promise<pg.PoolClient> => takeConnection(openConnection, isOutdated);
  const db = kyselyOn<Tables>(poolForKysely(pool, connect, runQuery));
  return {
    db,
    poolStats: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    replaceConnections: onReadOnly,
    close: () => db.destroy(),
  };
}

export function connectionOptions(
  url: string,
  config: DatabaseConfig,
): pg.ClientConfig & { readonly connectionString: string } {
  const types = new pg.TypeOverrides();
  types.setTypeParser(timestamptzOid, timestampFromPostgres);
  return {
    connectionString: sessionUrl(url, {
      statement_timeout: config.statementTimeoutMs,
      lock_timeout: config.lockTimeoutMs,
      idle_in_transaction_session_timeout: config.idleTransactionTimeoutMs,
    }),
    types,
    connectionTimeoutMillis: config.poolWaitMs,
    keepAlive: true,
    // `findWatermark` recognizes servers by this name.
    application_name: 'worktable',
  };
}

/** The pool in the form that Kysely uses. `runQuery` runs the statements, and errors become Problems. */
function poolForKysely(
  pool: pg.Pool,
  connect: () => Promise<pg.PoolClient>,
  runQuery: RunQuery,
): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    connect: async () => clientForKysely(await connect(), runQuery),
  };
}

// While the database stays read-only, connections are replaced at most this often.
const readOnlyPauseMs = 1000;

interface ReadOnlyWatch {
  /** Makes all open connections outdated after one was read-only, because they may be read-only too. */
  readonly onReadOnly: () => void;
  readonly isOutdated: (client: pg.PoolClient) => boolean;
}

/**
 * Finds connections to replace. A read-only session stays read-only when the database becomes writable again. After a
 * failover, a connection may lead to a server that is now a standby.
 */
function watchReadOnly(pool: pg.Pool): ReadOnlyWatch {
  const openedMs = new WeakMap<pg.ClientBase, number>();
  let readOnlyMs = -Infinity;
  pool.on('connect', (client) => openedMs.set(client, performance.now()));
  return {
    onReadOnly: () => {
      const nowMs = performance.now();
      if (nowMs - readOnlyMs >= readOnlyPauseMs) readOnlyMs = nowMs;
    },
    isOutdated: (client) => (openedMs.get(client) ?? Infinity) < readOnlyMs,
  };
}

// For this long after a refusal, requests do not try to open another connection.
const refusedMs = 1000;

/**
 * Returns a function that takes a connection from the pool. While the database refuses further connections, for example
 * above its `max_connections`, requests wait for the open ones.
 */
function createConnector(
  pool: pg.Pool,
  max: number,
  onOutage: (error: unknown) => void,
): () => Promise<pg.PoolClient> {
  let untilMs = -Infinity;
  // The number of open connections. The pool's own count includes connections that are still being opened.
  let open = 0;
  pool.on('connect', () => (open += 1));
  pool.on('remove', () => (open -= 1));
  return async function connect(): Promise<pg.PoolClient> {
    const startMs = performance.now();
    pool.options.max = startMs < untilMs && open > 0 ? open : max;
    try {
      return await pool.connect();
    } catch (error) {
      if (isPoolTimeout(error))
        throw new Problem('Overloaded', undefined, {
          retryAfterS: 1,
          limit: 'DATABASE_POOL_SIZE',
          cause: error,
        });
      onOutage(error);
      const nowMs = performance.now();
      untilMs = nowMs + refusedMs;
      if (open === 0 || nowMs - startMs > refusedMs) throw connectionProblem(error);
      return connect();
    }
  };
}

async function takeConnection(
  connect: () => Promise<pg.PoolClient>,
  isOutdated: (client: pg.PoolClient) => boolean,
): Promise<pg.PoolClient> {
  let client = await connect();
  while (isOutdated(client)) {
    client.release(true);
    client = await connect();
  }
  return client;
}

function clientForKysely(client: pg.PoolClient, runQuery: RunQuery): PostgresPoolClient {
  let timeout: { readonly error: unknown } | undefined;
  let isBroken = false;
  // True from the beginning of a transaction until its commit is sent.
  let isUncommitted = false;
  async function query(text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    // No rollback: it would wait behind the statement that timed out, for as long again.
    if (timeout !== undefined) throw timeout.error;
    if (text === 'commit') isUncommitted = false;
    else isUncommitted ||= /^(?:begin|start transaction)/.test(text);
    try {
      return await runQuery(client, text, values);
    } catch (cause) {
      const error = isUncommitted ? uncommittedProblem(cause) : cause;
      if (isQueryTimeout(cause)) timeout = { error };
      isBroken ||= timeout !== undefined || hasStalePlan(cause);
      throw error;
    }
  }
  return {
    // Kysely uses only queries with a result. The other form takes a cursor, and none is configured.
    query: query as unknown as PostgresPoolClient['query'],
    release: (destroy) => {
      client.release(destroy === true || isBroken);
    },
  };
}

/** Returns true if no connection became free while a request waited. This error has no code. */
function isPoolTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'timeout exceeded when trying to connect';
}
