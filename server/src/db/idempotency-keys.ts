import { sql } from 'kysely';
import { Problem } from '../errors.ts';
import { lockKey } from './advisory-lock.ts';
import type { Db } from './tables.ts';

interface IdempotencyKey {
  readonly userId: string;
  readonly key: string;
  /** Tells whether a later request under the key is the same request. */
  readonly requestHash: string;
}

/**
 * Does something once per key for 24 hours and remembers what came of it, as text. The key and the effect are one
 * transaction: after a crash either both are there or neither. A failure leaves no trace, so it can be tried again.
 */
export async function withIdempotencyKey(
  db: Db,
  { userId, key, requestHash }: IdempotencyKey,
  run: (transaction: Db) => Promise<string>,
): Promise<{ reply: string; replayed: boolean }> {
  return db.transaction().execute(async (transaction) => {
    await takeKey(transaction, userId, key);
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
    await remember(transaction, { userId, key, requestHash }, reply);
    return { reply, replayed: false };
  });
}

/** Deletes the keys that have expired, now and every hour. Returns the function that stops it. */
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

// Some ten milliseconds of work: a statement has its time limit, and the embedded database does one at a time.
const expiredKeysMax = 1000;

const expired = sql<string>`now() - interval '24 hours'`;

/** Deletes in statements of bounded work, so that the time limit of one is no limit to how many keys may expire. */
async function deleteExpiredKeys(db: Db, stopping: AbortSignal): Promise<void> {
  let deleted = expiredKeysMax;
  while (deleted === expiredKeysMax && !stopping.aborted) {
    const { numDeletedRows } = await db
      .deleteFrom('idempotency_keys')
      // Once more on the row itself, which a new request may have taken over since it was selected.
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

/** The lock ends with the transaction, even if its process dies. Whoever cannot have it is told to come back. */
async function takeKey(transaction: Db, userId: string, key: string): Promise<void> {
  const lock = sql<{ held: boolean }>`
    select pg_try_advisory_xact_lock(${lockKey('idempotency key', userId, key)}) as held`;
  const { rows } = await lock.execute(transaction);
  if (rows[0]?.held !== true) throw new Problem('Request in progress');
}

async function remember(
  transaction: Db,
  { userId, key, requestHash }: IdempotencyKey,
  reply: string,
): Promise<void> {
  const row = { request_hash: requestHash, reply, created_at: sql<string>`clock_timestamp()` };
  await transaction
    .insertInto('idempotency_keys')
    .values({ user_id: userId, key, ...row })
    // Only a row whose time is over can be in the way.
    .onConflict((conflict) => conflict.columns(['user_id', 'key']).doUpdateSet(row))
    .execute();
}
