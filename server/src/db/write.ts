import type { Db, NewIdempotencyKey } from './tables.ts';

/**
 * Writes what an operation has planned, as a whole or not at all. An idempotency key with the reply is stored in the same
 * transaction.
 */
export type Write = (db: Db, key?: NewIdempotencyKey) => Promise<void>;

/** Runs statements in the transaction of `db`, or in a new one. */
export function inTransaction(db: Db, work: (transaction: Db) => Promise<void>): Promise<void> {
  return db.isTransaction ? work(db) : db.transaction().execute(work);
}
