import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import type { DatabaseConfig } from '../../config.ts';
import { Problem } from '../../errors.ts';
import { databaseProblem, hasStalePlan } from '../errors.ts';
import { addPipeline, openPipeline } from './pipeline.ts';
import { createQueryRunner, QueryTimeout, type RunQuery } from './query-runner.ts';
import type { Db, Tables } from '../tables.ts';
import { timestampFromPostgres, timestamptzOid } from '../timestamps.ts';

/** How the connections to a Postgres server are used. */
export interface PoolUse {
  readonly open: number;
  readonly idle: number;
  /** Requests that wait for one. */
  readonly waiting: number;
}

export interface PostgresDatabase {
  readonly db: Db;
  readonly poolUse: () => PoolUse;
  readonly close: () => Promise<void>;
}

/** A pool and a pipeline on a Postgres server. Nothing connects until the first statement. */
export function openPostgres(
  url: string,
  config: DatabaseConfig,
  onBrokenConnection: (error: Error) => void = () => undefined,
): PostgresDatabase {
  const options = connectionOptions(url, config);
  const pool = new pg.Pool({ ...options, max: config.poolSize });
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', onBrokenConnection);
  // So is one that breaks at work; its statement fails as well, and tells the request.
  pool.on('connect', (client) => client.on('error', onBrokenConnection));
  const send = createQueryRunner(config);
  const pipeline = openPipeline({ options, send, onBrokenConnection });
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: mapErrors(pool, send) }) });
  addPipeline(db, pipeline);
  return {
    db,
    poolUse: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: async () => {
      await Promise.all([db.destroy(), pipeline.close()]);
    },
  };
}

function connectionOptions(url: string, config: DatabaseConfig): pg.ClientConfig {
  const types = new pg.TypeOverrides();
  types.setTypeParser(timestamptzOid, timestampFromPostgres);
  return {
    connectionString: url,
    types,
    connectionTimeoutMillis: config.poolWaitMs,
    statement_timeout: config.statementTimeoutMs,
    keepAlive: true,
    lock_timeout: config.lockTimeoutMs,
    idle_in_transaction_session_timeout: config.idleTransactionTimeoutMs,
    options: '-c TimeZone=UTC',
    application_name: 'worktable',
  };
}

/** The pool as Kysely sees it: statements are sent in our way, failures are Problems. */
function mapErrors(pool: pg.Pool, send: RunQuery): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    connect: async () => {
      try {
        return clientWithProblems(await pool.connect(), send);
      } catch (error) {
        if (isWaitOver(error)) throw new Problem('Overloaded', undefined, { retryAfterS: 1, cause: error });
        throw databaseProblem(error);
      }
    },
  };
}

function clientWithProblems(client: pg.PoolClient, send: RunQuery): PostgresPoolClient {
  let isSpent = false;
  let silence: QueryTimeout | undefined;
  async function query(text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    // A rollback would wait as long again behind the statement that is not answered.
    if (silence !== undefined) throw databaseProblem(silence);
    try {
      return await send(client, text, values);
    } catch (error) {
      if (error instanceof QueryTimeout) silence = error;
      isSpent ||= silence !== undefined || hasStalePlan(error);
      throw databaseProblem(error);
    }
  }
  return {
    // Kysely asks for results only: its other form of query takes a cursor, and none is configured.
    query: query as unknown as PostgresPoolClient['query'],
    release: (destroy) => {
      client.release(destroy === true || isSpent);
    },
  };
}

/** All connections were in use for as long as a request may wait for one; this error has no code. */
function isWaitOver(error: unknown): boolean {
  return error instanceof Error && error.message === 'timeout exceeded when trying to connect';
}
