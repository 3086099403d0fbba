import type { Db } from './tables.ts';

/** Runs a function in the current transaction, or else in a new one. */
export function inTransaction<Result>(db: Db, run: (transaction: Db) => Promise<Result>): Promise<Result> {
  return db.isTransaction ? run(db) : db.transaction().execute(run);
}
