import type { Db, NewIdempotencyKey } from './tables.ts';

/**
 * Writes what an operation has planned, as a whole or not at all. The same transaction stores the idempotency key and
 * the reply, if there is a key.
 */
export type Write = (db: Db, key?: NewIdempotencyKey) => Promise<void>;

/** Runs statements in the transaction `db`, or in a new one if `db` is not a transaction. */
export function inTransaction(db: Db, work: (transaction: Db) => Promise<void>): Promise<void> {
  return db.isTransaction ? work(db) : db.transaction().execute(work);
}
