import type pg from 'pg';
import { hasStalePlan, throwRefusal } from '../errors.ts';
import type { Statement, Transact } from '../write.ts';
import { isQueryTimeout, type RunQuery } from './query-runner.ts';

type Send<Row> = (statements: readonly Statement[]) => Promise<Row[][]>;
type Next<Row> = (rows: Row[][]) => readonly Statement[];

/**
 * Runs each transaction in one round trip: `begin`, the statements and `commit` are sent together. Statements that depend
 * on rows cost a second one. After a failure Postgres refuses the statements that follow, and `commit` rolls back.
 */
export function createTransact(connect: () => Promise<pg.PoolClient>, runQuery: RunQuery): Transact {
  return async <Row extends object>(statements: readonly Statement[], next?: Next<Row>): Promise<Row[][]> => {
    const client = await connect();
    let failed: Statement | undefined;
    const send: Send<Row> = (batch) =>
      sendTogether<Row>(client, runQuery, batch, (statement) => (failed = statement));
    try {
      const rows = await (next === undefined
        ? runInOneRoundTrip(send, statements)
        : runInTwoRoundTrips(send, statements, next));
      client.release();
      return rows;
    } catch (error) {
      const isBroken = isQueryTimeout(error) || hasStalePlan(error);
      client.release(isBroken || (next !== undefined && !(await rollBack(send))));
      return throwRefusal(error, failed);
    }
  };
}

async function runInOneRoundTrip<Row>(send: Send<Row>, statements: readonly Statement[]): Promise<Row[][]> {
  return (await send([begin, ...statements, commit])).slice(1, -1);
}

async function runInTwoRoundTrips<Row>(
  send: Send<Row>,
  statements: readonly Statement[],
  next: Next<Row>,
): Promise<Row[][]> {
  const [, ...rows] = await send([begin, ...statements]);
  const more = await send([...next(rows), commit]);
  return [...rows, ...more.slice(0, -1)];
}

/** Writes statements at once, and calls `onFailure` with the first one that fails. */
async function sendTogether<Row extends object>(
  client: pg.PoolClient,
  runQuery: RunQuery,
  statements: readonly Statement[],
  onFailure: (statement: Statement | undefined) => void,
): Promise<Row[][]> {
  const { stream } = client.connection;
  stream.cork();
  const results = statements.map(({ text, values }) => runQuery<Row>(client, text, values));
  stream.uncork();
  const outcomes = await Promise.allSettled(results);
  return outcomes.map((outcome, i) => {
    if (outcome.status === 'fulfilled') return outcome.value.rows;
    onFailure(statements[i]);
    throw outcome.reason;
  });
}

/** Resolves to whether the rollback succeeded. After a commit there is nothing to roll back, and Postgres only warns. */
async function rollBack(send: Send<object>): Promise<boolean> {
  return send([rollback]).then(
    () => true,
    () => false,
  );
}

const begin: Statement = { text: 'begin', values: [] };
const commit: Statement = { text: 'commit', values: [] };
const rollback: Statement = { text: 'rollback', values: [] };
