import type { PostgresPoolClient } from 'kysely';
import pg from 'pg';
import type { DatabaseConfig } from '../../config/config.ts';
import { Problem } from '../../contract/problem.ts';
import { hasSqlState, hasStalePlan, isOutage, overloaded, uncommittedProblem } from '../errors.ts';
import type { Db, Tables } from '../tables.ts';
import { timestampFromPostgres, timestamptzOid } from '../timestamps.ts';
import { kyselyOn } from './pool-executor.ts';
import { createQueryRunner, isQueryTimeout, type RunQuery } from './query-runner.ts';
import { sessionUrl } from './session-url.ts';

export interface PostgresDatabase {
  readonly db: Db;
  /** The connections of the pool, and the requests that wait for one. */
  readonly poolStats: () => { readonly open: number; readonly idle: number; readonly waiting: number };
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
  const connections = new Connections(pool, config.poolSize, onOutage);
  const runQuery = createQueryRunner(config, keepsStatements, onStatement, (problem) => {
    if (hasSqlState(problem, 'read_only_sql_transaction')) connections.replaceAll();
    if (isOutage(problem)) onOutage(problem.cause);
  });
  const db = kyselyOn<Tables>({
    options: pool.options,
    end: () => pool.end(),
    connect: async () => clientForKysely(await connections.take(), runQuery),
  });
  return {
    db,
    poolStats: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    replaceConnections: () => {
      connections.replaceAll();
    },
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

// While the database stays read-only, connections are replaced at most this often.
const readOnlyPauseMs = 1000;

// For this long after a refusal, requests do not try to open another connection.
const refusedMs = 1000;

/**
 * Takes connections from a pool while the database fails in part:
 *
 * - A read-only session stays read-only when the database becomes writable again, and after a failover, a connection may
 *   lead to a server that is now a standby. `replaceAll` marks all open connections as outdated.
 * - While the database refuses further connections, for example above its `max_connections`, requests wait for the open
 *   ones.
 */
class Connections {
  readonly #pool: pg.Pool;
  readonly #max: number;
  readonly #onOutage: (error: unknown) => void;
  readonly #openedMs = new WeakMap<pg.ClientBase, number>();
  // The pool's own count includes connections that are still being opened.
  #open = 0;
  #readOnlyMs = -Infinity;
  #refusedUntilMs = -Infinity;

  constructor(pool: pg.Pool, max: number, onOutage: (error: unknown) => void) {
    this.#pool = pool;
    this.#max = max;
    this.#onOutage = onOutage;
    // The pool replaces idle connections that break. Without a listener, the error would end the process.
    pool.on('error', onOutage);
    pool.on('connect', (client) => {
      this.#open += 1;
      this.#openedMs.set(client, performance.now());
      // A connection that breaks during use emits the error too, in addition to the failure of its statement.
      client.on('error', onOutage);
    });
    pool.on('remove', () => (this.#open -= 1));
  }

  replaceAll(): void {
    const nowMs = performance.now();
    if (nowMs - this.#readOnlyMs >= readOnlyPauseMs) this.#readOnlyMs = nowMs;
  }

  async take(): Promise<pg.PoolClient> {
    const client = await this.#connect();
    if ((this.#openedMs.get(client) ?? Infinity) >= this.#readOnlyMs) return client;
    client.release(true);
    return this.take();
  }

  async #connect(): Promise<pg.PoolClient> {
    const startMs = performance.now();
    const mayOpen = startMs >= this.#refusedUntilMs || this.#open === 0;
    this.#pool.options.max = mayOpen ? this.#max : this.#open;
    try {
      return await this.#pool.connect();
    } catch (cause) {
      // No connection became free in time. This error has no code.
      if (cause instanceof Error && cause.message === 'timeout exceeded when trying to connect')
        throw new Problem('Overloaded', undefined, { retryAfterS: 1, limit: 'DATABASE_POOL_SIZE', cause });
      this.#onOutage(cause);
      const nowMs = performance.now();
      this.#refusedUntilMs = nowMs + refusedMs;
      if (this.#open === 0 || nowMs - startMs > refusedMs) throw overloaded('unreachable', cause);
      return this.#connect();
    }
  }
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
