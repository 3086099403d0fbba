import { sql } from 'kysely';
import { Problem } from '../errors.ts';
import { lockKey } from './advisory-lock.ts';
import type { Db } from './tables.ts';

interface IdempotencyKey {
  readonly userId: string;
  readonly key: string;
  /** Detects a later request that reuses the key for something else. */
  readonly requestHash: string;
}

/**
 * Runs a function once per key and 24 hours, and stores its reply as text. The key and the effect are one transaction:
 * after a crash the database has both or neither. A failure stores nothing, so the request can be repeated.
 */
export async function withIdempotencyKey(
  db: Db,
  { userId, key, requestHash }: IdempotencyKey,
  run: (transaction: Db) => Promise<string>,
): Promise<{ reply: string; replayed: boolean }> {
  return db.transaction().execute(async (transaction) => {
    await lockKeyOrThrow(transaction, userId, key);
    const earlier = await transaction
      .selectFrom('idempotency_keys')
      .select(['request_hash', 'reply'])
      .where('user_id', '=', userId)
      .where('key', '=', key)
      .where('created_at', '>', sql<string>`clock_timestamp() - interval '24 hours'`)
      .executeTakeFirst();
    if (earlier !== undefined) {
      if (earlier.request_hash !== requestHash) throw new Problem('Idempotency key reused');
      return { reply: earlier.reply, replayed: true };
    }
    const reply = await run(transaction);
    await storeReply(transaction, { userId, key, requestHash }, reply);
    return { reply, replayed: false };
  });
}

/** Deletes the expired keys, now and every hour. Returns a function that stops the cleanup. */
export function startCleanup(db: Db, onFailure: (error: unknown) => void): () => Promise<void> {
  const stopping = new AbortController();
  let deleting = deleteExpiredKeys(db, stopping.signal).catch(onFailure);
  const timer = setInterval(() => {
    deleting = deleting.then(() => deleteExpiredKeys(db, stopping.signal)).catch(onFailure);
  }, 60 * 60_000).unref();
  return () => {
    clearInterval(timer);
    stopping.abort();
    return deleting;
  };
}

// A statement has a time limit, and the embedded database runs one at a time.
const expiredKeysMax = 1000;

const expired = sql<string>`now() - interval '24 hours'`;

/** Deletes in bounded statements, so that any number of keys can expire within the time limit of a statement. */
async function deleteExpiredKeys(db: Db, stopping: AbortSignal): Promise<void> {
  // Fewer than the limit are deleted when a request takes over an expired key, so only none means that none is left.
  let deleted = 1;
  while (deleted > 0 && !stopping.aborted) {
    const { numDeletedRows } = await db
      .deleteFrom('idempotency_keys')
      // Repeated on the row itself: a new request may have updated the row since the subquery selected it.
      .where('created_at', '<=', expired)
      .where((row) =>
        row(
          row.refTuple('user_id', 'key'),
          'in',
          row
            .selectFrom('idempotency_keys')
            .select(['user_id', 'key'])
            .where('created_at', '<=', expired)
            .orderBy('created_at')
            .limit(expiredKeysMax)
            .$asTuple('user_id', 'key'),
        ),
      )
      .executeTakeFirstOrThrow();
    deleted = Number(numDeletedRows);
  }
}

/** Postgres releases the lock with the transaction, also when the process dies. */
async function lockKeyOrThrow(transaction: Db, userId: string, key: string): Promise<void> {
  const lock = sql<{ is_locked: boolean }>`
    select pg_try_advisory_xact_lock(${lockKey('idempotency key', userId, key)}) as is_locked`;
  const { rows } = await lock.execute(transaction);
  if (rows[0]?.is_locked !== true) throw new Problem('Request in progress');
}

async function storeReply(
  transaction: Db,
  { userId, key, requestHash }: IdempotencyKey,
  reply: string,
): Promise<void> {
  const row = { request_hash: requestHash, reply, created_at: sql<string>`clock_timestamp()` };
  await transaction
    .insertInto('idempotency_keys')
    .values({ user_id: userId, key, ...row })
    // Only an expired row can conflict.
    .onConflict((conflict) => conflict.columns(['user_id', 'key']).doUpdateSet(row))
    .execute();
}
