import { createHash } from 'node:crypto';
import type { PostgresPoolClient } from 'kysely';
import type { PoolClient, QueryResult } from 'pg';
import type { DatabaseConfig } from '../../config/config.ts';
import type { Problem } from '../../contract/problem.ts';
import type { Metrics } from '../../ops/metrics.ts';
import { commits, statements } from '../channels.ts';
import { databaseProblem, hasStalePlan } from '../errors.ts';

/** How long Postgres may take, after a statement's time limit, to report the end of the statement. */
const graceMs = 500;

/**
 * Returns a function that wraps a connection as Kysely's client. The client names statements if connections keep them,
 * and limits how long Postgres may be silent, for example because its machine hangs or the network drops packets. A
 * statement rejects with a Problem. After a timeout, the connection is not usable any more.
 *
 * Neither the driver's promises nor its `query_timeout` are used. Both add a callback to an existing statement object,
 * so V8 promotes each result, and a scavenge takes longer: 14 ms instead of 0.2 ms for results of twenty rows that were
 * awaited one after the other.
 */
export function createClients(
  { statementTimeoutMs }: DatabaseConfig,
  keepsStatements: boolean,
  metrics: Metrics | undefined,
  onFailure: (problem: Problem) => void,
): (connection: PoolClient) => PostgresPoolClient {
  const nameOf = keepsStatements ? createStatementNames() : () => undefined;
  const timeoutMs = statementTimeoutMs + graceMs;
  return (connection) => {
    let timeout: Problem | undefined;
    let isBroken = false;
    // True from the beginning of a transaction until its commit is sent.
    let isUncommitted = false;
    const query = (text: string, values: readonly unknown[]): Promise<QueryResult> =>
      new Promise((resolve, reject) => {
        // Sends nothing more: even a rollback would wait behind the statement that timed out, for as long again.
        if (timeout !== undefined) throw timeout;
        if (text === 'commit') isUncommitted = false;
        else isUncommitted ||= /^(?:begin|start transaction)/.test(text);
        const fail = (cause: Error, isTimeout = false): void => {
          const problem = databaseProblem(cause, isUncommitted);
          onFailure(problem);
          if (isTimeout) timeout = problem;
          isBroken ||= timeout !== undefined || hasStalePlan(problem);
          reject(problem);
        };
        const onTimeout = (): void => {
          fail(new Error(`The database did not answer within ${timeoutMs} ms.`), true);
        };
        const timer = statementTimeoutMs === 0 ? undefined : setTimeout(onTimeout, timeoutMs);
        const startMs = performance.now();
        const statement = { name: nameOf(text, values), text, values: [...values] };
        statements.publish({ text });
        connection.query(statement, (error: Error | null, result) => {
          clearTimeout(timer);
          metrics?.statementSeconds.observe((performance.now() - startMs) / 1000);
          if (error !== null) {
            fail(error);
            return;
          }
          // If an earlier statement failed, Postgres responds to `commit` with ROLLBACK.
          if (result.command === 'COMMIT') commits.publish({});
          resolve(result);
        });
      });
    return {
      // The cast hides a missing overload with a cursor, which Kysely calls only if a cursor is configured.
      query: query as unknown as PostgresPoolClient['query'],
      release: (destroy) => {
        connection.release(destroy === true || isBroken);
      },
    };
  };
}

// Lists have a different text for each set of filters. A prepared statement takes memory in the backend of each
// connection.
const statementsMax = 256;

// An INSERT has a different text for each number of rows. With 4,000 parameters, the text takes half a megabyte.
const parametersMax = 100;

/**
 * Names the first `statementsMax` texts with few parameters, so that each connection parses and plans them only once.
 * Other texts get no name, and are not prepared.
 */
function createStatementNames(): (text: string, values: readonly unknown[]) => string | undefined {
  const names = new Map<string, string>();
  return (text, values) => {
    const existing = names.get(text);
    if (existing !== undefined) return existing;
    if (values.length > parametersMax || names.size >= statementsMax) return undefined;
    // A hash of the text, because clients of a pooler may share a connection, where numbers would collide.
    const name = createHash('sha256').update(text).digest('base64url').slice(0, 32);
    names.set(text, name);
    return name;
  };
}
