import { sql } from 'kysely';
import type { Db } from './tables.ts';

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
