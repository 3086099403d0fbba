import { isTimeout } from './errors.ts';
import { expiry } from './idempotency-keys.ts';
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

/** Deletes in bounded statements, so that any number of keys can expire within the time limit of a statement. */
async function deleteExpiredKeys(db: Db, stopping: AbortSignal): Promise<void> {
  // A request may replace a selected key, so only an empty result, not a short one, means that no expired key is left.
  let deleted = 1;
  let max = expiredKeysMax;
  while (deleted > 0 && !stopping.aborted) {
    try {
      deleted = await deleteOldest(db, max);
    } catch (error) {
      if (!isTimeout(error) || max === 1) throw error;
      max = Math.ceil(max / 4);
    }
  }
}

/** Resolves to the number of keys that were deleted. */
async function deleteOldest(db: Db, max: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('idempotency_keys')
    // Checked on the row itself too, because a request may have replaced it since the subquery selected it.
    .where('created_at', '<=', expiry)
    .where((row) =>
      row(
        row.refTuple('user_id', 'key'),
        'in',
        row
          .selectFrom('idempotency_keys')
          .select(['user_id', 'key'])
          .where('created_at', '<=', expiry)
          .orderBy('created_at')
          .limit(max)
          .$asTuple('user_id', 'key'),
      ),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
