import { createHash } from 'node:crypto';
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import type { DatabaseConfig } from '../config.ts';
import { Problem } from '../errors.ts';
import { databaseProblem } from './failures.ts';
import type { Db, Tables } from './tables.ts';
import { timestampFromPostgres, timestamptzOid } from './timestamps.ts';

/** How the connections to a Postgres server are used. */
export interface PoolUse {
  readonly open: number;
  readonly idle: number;
  /** Requests that wait for one. */
  readonly waiting: number;
}

/** What Postgres gets beyond the statement's own time to say that it is over. */
const silenceMs = 500;

/** A pool on a Postgres server. Nothing connects until the first statement. */
export function openPostgres(
  url: string,
  config: DatabaseConfig,
  onBrokenConnection: (error: Error) => void = () => undefined,
): { readonly db: Db; readonly poolUse: () => PoolUse } {
  const types = new pg.TypeOverrides();
  types.setTypeParser(timestamptzOid, timestampFromPostgres);
  const pool = new pg.Pool({
    connectionString: url,
    types,
    max: config.poolSize,
    connectionTimeoutMillis: config.poolWaitMs,
    statement_timeout: config.statementTimeoutMs,
    // Should the server itself be silent, as when its machine hangs or the network drops what is sent.
    query_timeout: config.statementTimeoutMs === 0 ? 0 : config.statementTimeoutMs + silenceMs,
    keepAlive: true,
    lock_timeout: config.lockTimeoutMs,
    idle_in_transaction_session_timeout: config.idleTransactionTimeoutMs,
    options: '-c TimeZone=UTC',
    application_name: 'worktable',
  });
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', onBrokenConnection);
  // So is one that breaks at work; its statement fails as well, and tells the request.
  pool.on('connect', (client) => client.on('error', onBrokenConnection));
  const names = config.namedStatements ? new StatementNames() : undefined;
  return {
    db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool: withProblems(pool, names) }) }),
    poolUse: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
  };
}

/** The pool as Kysely sees it: statements carry names, failures are Problems. */
function withProblems(pool: pg.Pool, names: StatementNames | undefined): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    connect: async () => {
      try {
        return clientWithProblems(await pool.connect(), names);
      } catch (error) {
        // With connections to be had, it is not the database that is missing but its time for one request more.
        if (pool.totalCount >= pool.options.max)
          throw new Problem('Overloaded', undefined, { retryAfterS: 1 });
        throw databaseProblem(error);
      }
    },
  };
}

function clientWithProblems(client: pg.PoolClient, names: StatementNames | undefined): PostgresPoolClient {
  let isSpent = false;
  let silence: Error | undefined;
  async function query(text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    // A rollback would wait as long again behind the statement that is not answered.
    if (silence !== undefined) throw databaseProblem(silence);
    try {
      return await client.query({ name: names?.nameOf(text), text, values: [...values] });
    } catch (error) {
      if (isSilence(error)) silence = error;
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

/** The driver has waited for `query_timeout`; this error has no code. */
function isSilence(error: unknown): error is Error {
  return error instanceof Error && error.message === 'Query read timeout';
}

/** A named statement whose plan the schema or a pooler has taken away: this connection would fail again and again. */
function hasStalePlan(error: unknown): boolean {
  return error instanceof pg.DatabaseError && ['0A000', '26000', '42P05'].includes(error.code ?? '');
}

/**
 * Names for statements, so that Postgres parses and plans each text once per connection. Texts beyond the limit stay
 * unnamed: prepared statements live as long as their connection.
 */
class StatementNames {
  readonly #names = new Map<string, string>();

  nameOf(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known !== undefined || this.#names.size >= 500) return known;
    const name = createHash('sha256').update(text).digest('base64url').slice(0, 32);
    this.#names.set(text, name);
    return name;
  }
}
