import { sql, type RawBuilder } from 'kysely';
import { Problem } from '../contract/problem.ts';
import { isConflict } from './errors.ts';
import { repeatOnConflict } from './repeat-on-conflict.ts';
import type { Db, NewIdempotencyKey } from './tables.ts';
import type { Write } from './write.ts';

/** The reply of an operation, and the write that has to succeed before the reply is sent. */
interface Plan<Reply> {
  readonly reply: Reply;
  readonly write: Write;
}

/** An idempotency key. The hash of the request detects another request with the same key. */
type Key = Omit<NewIdempotencyKey, 'reply'>;

/**
 * Writes a plan at most once per key within 24 hours. Resolves to the plan's reply, or to the stored reply of an
 * earlier request as JSON. The key is inserted by the same write, so a crash leaves either both or neither. A
 * concurrent repetition waits for the first request, and then violates the key's primary key. A failure stores nothing,
 * so the request can be repeated.
 */
export function writeOnce<Reply>(
  db: Db,
  key: Key,
  plan: () => Promise<Plan<Reply>>,
): Promise<{ reply: Reply } | { earlier: string }> {
  return repeatOnConflict(async () => {
    try {
      const { reply, write } = await plan();
      await write(db, { ...key, reply: JSON.stringify(reply) });
      return { reply };
    } catch (error) {
      // The plan may refuse a repetition, for example because the agent has been deleted since. The stored reply takes
      // precedence.
      const mayBeRepetition = isConflict(error) || (error instanceof Problem && error.status < 500);
      const earlier = mayBeRepetition ? await findReply(db, key) : undefined;
      if (earlier !== undefined) return { earlier };
      if (isConflict(error)) await deleteExpired(db, key);
      throw error;
    }
  });
}

/** Inserts a key. Violates the primary key if the key is taken. */
export function insertKey({ user_id, key, request_hash, reply }: NewIdempotencyKey): RawBuilder<unknown> {
  return sql`
    insert into idempotency_keys (user_id, key, request_hash, reply, created_at)
    values (${user_id}, ${key}, ${request_hash}, ${reply}, now())`;
}

/** The reply that is stored under the key. Throws if the key belongs to another request. */
async function findReply(db: Db, { user_id, key, request_hash }: Key): Promise<string | undefined> {
  const earlier = await db
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'reply'])
    .where('user_id', '=', user_id)
    .where('key', '=', key)
    .where('created_at', '>', expiry)
    .executeTakeFirst();
  if (earlier !== undefined && earlier.request_hash !== request_hash)
    throw new Problem('Idempotency key reused');
  return earlier?.reply;
}

async function deleteExpired(db: Db, { user_id, key }: Key): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('user_id', '=', user_id)
    .where('key', '=', key)
    .where('created_at', '<=', expiry)
    .execute();
}

/** Keys that were created at or before this time have expired. */
const expiry = sql<string>`now() - interval '24 hours'`;

/** Deletes expired keys, and resolves to their number. */
export async function deleteExpiredKeys(db: Db, max: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('idempotency_keys')
    // Checks the locked row too, because a request may have replaced it since the subquery selected it.
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
