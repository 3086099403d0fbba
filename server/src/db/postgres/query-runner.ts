import { createHash } from 'node:crypto';
import type { ClientBase, QueryResult, QueryResultRow } from 'pg';
import type { DatabaseConfig } from '../../config/config.ts';
import { Problem } from '../../contract/problem.ts';
import { commits, statements } from '../channels.ts';
import { databaseProblem } from '../errors.ts';

/** Postgres was silent for longer than the statement may take. The connection is not usable any more. */
class QueryTimeout extends Error {
  constructor(ms: number) {
    super(`The database did not answer within ${ms} ms.`);
    this.name = 'QueryTimeout';
  }
}

/** Returns true if a query failed with a `QueryTimeout`. */
export function isQueryTimeout(error: unknown): boolean {
  return error instanceof Problem && error.cause instanceof QueryTimeout;
}

/** Runs a statement on a connection. Rejects with a Problem whose cause is the driver's error or a `QueryTimeout`. */
export type RunQuery = <Row extends QueryResultRow>(
  client: ClientBase,
  text: string,
  values: readonly unknown[],
) => Promise<QueryResult<Row>>;

/** How long Postgres may take, after a statement's time limit, to report the end of the statement. */
const graceMs = 500;

/**
 * Names the statements if connections keep them, and limits how long Postgres may be silent, for example because its
 * machine hangs or the network drops packets.
 *
 * Neither the driver's promises nor its `query_timeout` are used. Both add a callback to an existing statement object,
 * so V8 promotes each result, and its scavenges take long: 14 ms instead of 0.2 for results of twenty rows that were
 * awaited one after the other.
 */
export function createQueryRunner(
  { statementTimeoutMs }: DatabaseConfig,
  keepsStatements: boolean,
  onStatement: (seconds: number) => void,
  onFailure: (problem: Problem) => void,
): RunQuery {
  const nameOf = keepsStatements ? createStatementNames() : () => undefined;
  const timeoutMs = statementTimeoutMs + graceMs;
  return <Row extends QueryResultRow>(client: ClientBase, text: string, values: readonly unknown[]) =>
    new Promise<QueryResult<Row>>((resolve, reject) => {
      const fail = (error: Error): void => {
        const problem = databaseProblem(error);
        onFailure(problem);
        reject(problem);
      };
      const onTimeout = (): void => {
        fail(new QueryTimeout(timeoutMs));
      };
      const timer = statementTimeoutMs === 0 ? undefined : setTimeout(onTimeout, timeoutMs);
      const startMs = performance.now();
      const statement = { name: nameOf(text, values), text, values: [...values] };
      statements.publish({ text });
      client.query<Row>(statement, (error: Error | null, result) => {
        clearTimeout(timer);
        onStatement((performance.now() - startMs) / 1000);
        if (error === null) {
          // If an earlier statement failed, Postgres responds to `commit` with ROLLBACK.
          if (result.command === 'COMMIT') commits.publish({});
          resolve(result);
          return;
        }
        fail(error);
      });
    });
}

// Lists have a different text for each set of filters. A prepared statement takes memory in the backend of each
// connection.
const statementsMax = 256;

// An INSERT has a different text for each number of rows. With 4,000 parameters, the text takes half a megabyte.
const parametersMax = 100;

/**
 * Names the first texts that have few parameters, so that each connection parses and plans them only once. Further
 * texts get no name, and are not prepared.
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
