import { sql } from 'kysely';
import { Problem } from '../errors.ts';
import { lockKey } from './advisory-lock.ts';
import { insertFromJson, insertStatement } from './insert.ts';
import type { Db, IdempotencyKeyRow } from './tables.ts';
import { timestamp } from './timestamps.ts';
import { assert } from './assert.ts';
import type { Commit, Statement, Write } from './write.ts';

/** The reply of an operation, and the write that makes it true. */
interface Plan<Reply> {
  readonly reply: Reply;
  readonly write: Write;
}

/** A key of a user. The hash of the request detects a later one that reuses the key for something else. */
type Key = Omit<IdempotencyKeyRow, 'reply' | 'created_at'>;

interface Target {
  readonly db: Db;
  readonly commit: Commit;
}

/**
 * Commits a plan once per key and 24 hours. Resolves to its reply, or to the earlier reply under the key as JSON. `plan`
 * runs before the key is checked, so it must write nothing. The key is part of the write: after a crash the database has
 * both or neither. A failure stores nothing, so the request can be repeated.
 */
export async function commitOnce<Reply>(
  { db, commit }: Target,
  key: Key,
  plan: () => Promise<Plan<Reply>>,
): Promise<{ reply: Reply } | { earlier: string }> {
  try {
    const { reply, write } = await plan();
    await commit({ ...write, key: { ...key, reply: JSON.stringify(reply), created_at: timestamp() } });
    return { reply };
  } catch (error) {
    // A repetition must not fail because of what has changed since: the agent of a run may be gone.
    const mayBeRepetition = error instanceof KeyTaken || (error instanceof Problem && error.status < 500);
    const earlier = mayBeRepetition ? await findReply(db, key) : undefined;
    if (earlier !== undefined) return { earlier };
    if (!(error instanceof KeyTaken)) throw error;
  }
  await deleteExpired(db, key);
  return commitOnce({ db, commit }, key, plan);
}

/**
 * The statements that take the keys of writes that are committed together. The lock detects a request in progress, for
 * which an insert alone would wait. Postgres releases it with the transaction, also when the process dies.
 */
export function keyStatements(writes: readonly Pick<Write, 'key'>[]): Statement[] {
  const keys = writes.flatMap(({ key }) => key ?? []);
  if (keys.length === 0) return [];
  const lockKeys = keys.map(({ user_id, key }) => lockKey('idempotency key', user_id, key));
  // A key that is taken refuses its own write only: the others are committed one by one (`isRetryableAlone`).
  const isAlone = writes.length === 1;
  const insert = isAlone ? insertStatement : insertFromJson;
  return [
    { text: lockAll, values: [lockKeys], ...(isAlone && { refuse: refuseConcurrent }) },
    { ...insert('idempotency_keys', keys), ...(isAlone && { refuse: refuseTaken }) },
  ];
}

const lockAll = `
  select ${assert('bool_and(pg_try_advisory_xact_lock(key))')} from unnest($1::bigint[]) key`;

const refuseConcurrent = (): Promise<never> => Promise.reject(new Problem('Request in progress'));

class KeyTaken extends Error {
  override name = 'KeyTaken';
}

const refuseTaken = (): Promise<never> => Promise.reject(new KeyTaken('The key has a row.'));

/** The reply that is stored under the key. Throws if it belongs to another request. */
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

/** Keys that were created until then have expired. */
export const expiry = sql<string>`now() - interval '24 hours'`;
