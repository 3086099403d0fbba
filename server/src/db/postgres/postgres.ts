import { randomUUID } from 'node:crypto';
import { Kysely, PostgresDialect, type CompiledQuery, type PostgresPool, type QueryResult } from 'kysely';
import pg from 'pg';
import type { DatabaseConfig } from '../../config/config.ts';
import { Problem } from '../../contract/problem.ts';
import type { Metrics } from '../../ops/metrics.ts';
import { databaseProblem, hasSqlState, hasStalePlan, isOutage, overloaded } from '../errors.ts';
import type { Db, Tables } from '../tables.ts';
import { timestampFromPostgres, timestamptzOid } from '../timestamps.ts';
import { createClients } from './client.ts';
import { sessionUrl } from './session-url.ts';

export interface PostgresDatabase {
  readonly db: Db;
  /** The connections of the pool, and the requests that wait for one. */
  readonly poolStats: () => { readonly open: number; readonly idle: number; readonly waiting: number };
  readonly close: () => Promise<void>;
}

export interface PoolOptions {
  /** The name under which a program other than a server connects. */
  readonly applicationName?: string;
  /** False behind a pooler that loses prepared statements. */
  readonly keepsStatements?: boolean;
  /** Called with each error that shows that the whole database fails. */
  readonly onOutage?: (error: unknown) => void;
  /** Observes the duration of each statement. */
  readonly metrics?: Metrics;
}

/** Connections are replaced after this time, because the address may lead to another server by then. */
const lifetimeSeconds = 600;

/** A pool of connections to a Postgres server. It connects with the first statement. */
export function openPostgres(
  url: string,
  config: DatabaseConfig,
  { onOutage = () => undefined, metrics, applicationName, keepsStatements = true }: PoolOptions = {},
): PostgresDatabase {
  const pool = new pg.Pool({
    ...connectionOptions(url, config),
    ...(applicationName === undefined ? {} : { application_name: applicationName }),
    max: config.poolSize,
    maxLifetimeSeconds: lifetimeSeconds,
  });
  const connections = connectionsOf(pool, config.poolSize, onOutage);
  const clientOf = createClients(config, keepsStatements, metrics, (problem) => {
    if (hasSqlState(problem, 'read_only_sql_transaction')) connections.replaceAll();
    if (isOutage(problem)) onOutage(problem.cause);
  });
  const db = kyselyOn({
    options: pool.options,
    // Kysely ends a pool only if its own driver has used the pool, so `close` ends the pool instead.
    end: () => Promise.resolve(),
    connect: async () => clientOf(await connections.take()),
  });
  return {
    db,
    poolStats: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => pool.end(),
  };
}

/**
 * Kysely on a pool. Its executor passes each statement through its driver, which takes 13 of 170 microseconds of a read
 * on an idle server (performance.md). So statements outside transactions run on a connection of the pool at once.
 */
function kyselyOn(pool: PostgresPool): Db {
  const db: Db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  db.getExecutor().executeQuery = async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => {
    const client = await pool.connect();
    try {
      const { command, rowCount, rows } = await client.query<Row>(query.sql, query.parameters);
      return writes.has(command) ? { rows, numAffectedRows: BigInt(rowCount) } : { rows };
    } finally {
      client.release();
    }
  };
  return db;
}

const writes: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

function connectionOptions(
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
    // `findWatermark` and `assertNoServers` recognize servers by this name.
    application_name: 'worktable',
  };
}

/**
 * Resolves to false if a pooler loses prepared statements. Two connections in turn prepare different statements under
 * the same name. A pooler that gives both the same connection to Postgres confuses the statements. There are several
 * rounds, because a pooler with other clients may give both the same connection only in a later round.
 */
export async function keepsPreparedStatements(url: string, config: DatabaseConfig): Promise<boolean> {
  const name = `worktable-check-${randomUUID()}`;
  const clients: pg.Client[] = [];
  try {
    for (let count = 0; count < 2; count += 1) {
      const client = new pg.Client(connectionOptions(url, config));
      // Without a listener, the error that a broken connection emits would end the process.
      client.on('error', () => undefined);
      clients.push(client);
      await client.connect();
    }
    for (let round = 0; round < 10; round += 1) {
      for (const [i, client] of clients.entries()) {
        const text = `select ${i} as answer`;
        const { rows } = await client.query<{ answer: number }>({ name, text });
        if (rows[0]?.answer !== i) return false;
      }
    }
    return true;
  } catch (cause) {
    if (hasStalePlan(databaseProblem(cause))) return false;
    throw overloaded('unavailable', cause);
  } finally {
    await Promise.allSettled(clients.map((client) => client.end()));
  }
}

// While the database stays read-only, connections are replaced at most once in this time.
const readOnlyPauseMs = 1000;

// For this long after a refusal, requests do not try to open another connection.
const refusedMs = 1000;

/**
 * Functions that take connections from a pool, also while the database fails in part:
 *
 * - A read-only session stays read-only when the database becomes writable again, and after a failover, a connection
 *   may lead to a server that is now a standby. `replaceAll` marks all open connections as outdated.
 * - While the database refuses further connections, for example above its `max_connections`, requests wait for the open
 *   ones.
 */
function connectionsOf(pool: pg.Pool, max: number, onOutage: (error: unknown) => void) {
  const openedMs = new WeakMap<pg.ClientBase, number>();
  // The pool's own count includes connections that are still being opened.
  let open = 0;
  let readOnlyMs = -Infinity;
  let refusedUntilMs = -Infinity;
  // The pool replaces idle connections that break. Without a listener, the error would end the process.
  pool.on('error', onOutage);
  pool.on('connect', (client) => {
    open += 1;
    openedMs.set(client, performance.now());
    // A connection that breaks during use emits the error too, in addition to the failure of its statement.
    client.on('error', onOutage);
  });
  pool.on('remove', () => (open -= 1));

  async function connect(): Promise<pg.PoolClient> {
    const startMs = performance.now();
    const mayOpen = startMs >= refusedUntilMs || open === 0;
    pool.options.max = mayOpen ? max : open;
    try {
      return await pool.connect();
    } catch (cause) {
      // No connection became free in time. Only the message identifies this error.
      if (cause instanceof Error && cause.message === 'timeout exceeded when trying to connect')
        throw new Problem('Overloaded', undefined, { retryAfterS: 1, cause });
      onOutage(cause);
      const nowMs = performance.now();
      refusedUntilMs = nowMs + refusedMs;
      if (open === 0 || nowMs - startMs > refusedMs) throw overloaded('unavailable', cause);
      return connect();
    }
  }

  async function take(): Promise<pg.PoolClient> {
    const client = await connect();
    if ((openedMs.get(client) ?? Infinity) >= readOnlyMs) return client;
    client.release(true);
    return take();
  }

  return {
    take,
    replaceAll: () => {
      const nowMs = performance.now();
      if (nowMs - readOnlyMs >= readOnlyPauseMs) readOnlyMs = nowMs;
    },
  };
}
