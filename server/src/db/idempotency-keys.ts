import { sql } from 'kysely';
import type { AnyOperation, AnyResponse } from '../contract/operation.ts';
import { Problem } from '../contract/problem.ts';
import { isConflict, repeatOnConflict } from './errors.ts';
import type { Db, NewIdempotencyKey } from './tables.ts';

/** An idempotency key. The hash of the request detects another request with the same key. */
type Key = Omit<NewIdempotencyKey, 'reply'>;

type Planned = ReturnType<AnyOperation['handle']>;

/**
 * Writes a plan at most once per key within 24 hours. Resolves to the planned response, or to the stored response to an
 * earlier request. The plan's write also inserts the key, so a crash leaves both its effect and the key, or neither. A
 * concurrent repetition waits for the first request, and then violates the primary key. A failure stores nothing, so
 * the request can be repeated.
 */
export function writeOnce(db: Db, key: Key, plan: () => Planned): Promise<AnyResponse> {
  return repeatOnConflict(async () => {
    try {
      const { write, ...response } = await plan();
      if (write === undefined) throw new Error('A request with an Idempotency-Key must plan a write.');
      await write(db, { ...key, reply: JSON.stringify(response) });
      return response;
    } catch (error) {
      // The plan may refuse a repetition, for example because the agent has been deleted since. The stored response
      // takes precedence.
      const mayBeRepetition = isConflict(error) || (error instanceof Problem && error.status < 500);
      const stored = mayBeRepetition ? await findReply(db, key) : undefined;
      if (stored !== undefined) return replayed(stored);
      if (isConflict(error)) await deleteExpired(db, key);
      throw error;
    }
  });
}

function replayed(reply: string): AnyResponse {
  // The cast is safe, because `writeOnce` has stored a response.
  const response = JSON.parse(reply) as AnyResponse;
  return { ...response, headers: { ...response.headers, 'Idempotency-Replayed': 'true' } };
}

/** The reply that is stored under the key. Throws if the key belongs to another request. */
async function findReply(db: Db, { user_id, key, request_hash }: Key): Promise<string | undefined> {
  const { rows } = await sql<Pick<NewIdempotencyKey, 'request_hash' | 'reply'>>`
    select request_hash, reply from idempotency_keys
    where user_id = ${user_id} and key = ${key} and not ${hasExpired}`.execute(db);
  const [earlier] = rows;
  if (earlier !== undefined && earlier.request_hash !== request_hash)
    throw new Problem('Idempotency key reused');
  return earlier?.reply;
}

async function deleteExpired(db: Db, { user_id, key }: Key): Promise<void> {
  await sql`
    delete from idempotency_keys where user_id = ${user_id} and key = ${key} and ${hasExpired}`.execute(db);
}

const hasExpired = sql`(created_at <= now() - interval '24 hours')`;

/** Deletes at most `max` expired keys, and resolves to their number. */
export async function deleteExpiredKeys(db: Db, max: number): Promise<number> {
  // Repeats the condition for the locked row, because a request may have replaced the row since the subquery read it.
  const { numAffectedRows } = await sql`
    delete from idempotency_keys where ${hasExpired} and (user_id, key) in (
      select user_id, key from idempotency_keys where ${hasExpired} order by created_at limit ${max})`.execute(
    db,
  );
  return Number(numAffectedRows ?? 0);
}
