import type { Db } from './tables.ts';

/** Does something in a transaction: the one that is going on, or else its own. */
export function inTransaction<Result>(db: Db, run: (transaction: Db) => Promise<Result>): Promise<Result> {
  return db.isTransaction ? run(db) : db.transaction().execute(run);
}
