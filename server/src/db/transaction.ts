import { CompiledQuery } from 'kysely';
import { throwRefusal } from './errors.ts';
import type { Db } from './tables.ts';
import type { Statement, Transact, WriteTarget } from './write.ts';

/** Runs transactions statement by statement, which costs no round trips in a database of this process. */
export function transactOn(db: Db): Transact {
  return (statements, next) => runStatements(statements, next, (run) => db.transaction().execute(run));
}

/** A transaction that has begun, as the target of operations that become part of it. */
export function targetIn(transaction: Db): WriteTarget {
  return {
    db: transaction,
    transact: (statements, next) => runStatements(statements, next, (run) => run(transaction)),
  };
}

/** A refusal may read from the database, so it is called after the rollback. On a `targetIn` it must not read. */
async function runStatements<Row extends object>(
  statements: readonly Statement[],
  next: (rows: Row[][]) => readonly Statement[] = () => [],
  inTransaction: (run: (transaction: Db) => Promise<Row[][]>) => Promise<Row[][]>,
): Promise<Row[][]> {
  let running: Statement | undefined;
  const runAll = async (transaction: Db, batch: readonly Statement[]): Promise<Row[][]> => {
    const results: Row[][] = [];
    for (const statement of batch) {
      running = statement;
      const query = CompiledQuery.raw(statement.text, [...statement.values]);
      results.push((await transaction.executeQuery<Row>(query)).rows);
    }
    return results;
  };
  try {
    return await inTransaction(async (transaction) => {
      const rows = await runAll(transaction, statements);
      return [...rows, ...(await runAll(transaction, next(rows)))];
    });
  } catch (error) {
    return throwRefusal(error, running);
  }
}
