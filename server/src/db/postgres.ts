import { createHash } from 'node:crypto';
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import type { DatabaseConfig } from '../config.ts';
import { databaseProblem } from './failures.ts';
import type { Db, Tables } from './tables.ts';
import { timestampFromPostgres, timestamptzOid } from './timestamps.ts';

/** A pool on a Postgres server. Nothing connects until the first statement. */
export function openPostgres(url: string, config: DatabaseConfig, onIdleError: (error: Error) => void): Db {
  const types = new pg.TypeOverrides();
  types.setTypeParser(timestamptzOid, timestampFromPostgres);
  const pool = new pg.Pool({
    connectionString: url,
    types,
    max: config.poolSize,
    connectionTimeoutMillis: config.poolWaitMs,
    statement_timeout: config.statementTimeoutMs,
    idle_in_transaction_session_timeout: config.statementTimeoutMs,
    options: '-c TimeZone=UTC',
    application_name: 'worktable',
  });
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', onIdleError);
  return new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: withProblems(pool, config.namedStatements ? new StatementNames() : undefined),
    }),
  });
}

/** The pool as Kysely sees it: statements carry names, failures are Problems. */
function withProblems(pool: pg.Pool, names: StatementNames | undefined): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    connect: async () => {
      const client = await pool.connect().catch((error: unknown) => {
        throw databaseProblem(error);
      });
      return clientWithProblems(client, names);
    },
  };
}

function clientWithProblems(client: pg.PoolClient, names: StatementNames | undefined): PostgresPoolClient {
  async function query(text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    try {
      return await client.query({ name: names?.nameOf(text), text, values: [...values] });
    } catch (error) {
      throw databaseProblem(error);
    }
  }
  return {
    // Kysely asks for results only: its other form of query takes a cursor, and none is configured.
    query: query as unknown as PostgresPoolClient['query'],
    release: (destroy) => {
      client.release(destroy);
    },
  };
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
