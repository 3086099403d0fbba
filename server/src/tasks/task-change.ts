import { sql } from 'kysely';
import { lockKey } from '../db/advisory-lock.ts';
import { insertKey } from '../db/idempotency-keys.ts';
import { oneStatement, type Parts } from '../db/one-statement.ts';
import { inTransaction, type Write } from '../db/write.ts';
import { validationError } from '../errors.ts';
import { changeCounts, deleteEmptyCounters, sumCounts, type CounterRow } from './count.ts';

/**
 * A planned change of a task: its statements (`task` locks or inserts the row), and its additions to the counters.
 */
export interface TaskChange {
  readonly parts: Parts;
  readonly counts: readonly CounterRow[];
}

/**
 * The write of one change. A statement cannot change a row twice, so a second statement deletes a counter that has
 * become zero. If the second statement fails on its own, the zero stays. In a transaction, its failure aborts the
 * transaction, and the whole write is repeated.
 */
export function writeOf({ parts: { task, ...others }, counts }: TaskChange): Write {
  const write = oneStatement({ task, ...(counts.length > 0 && { counts: changeCounts(counts) }), ...others });
  const decreased = counts.filter(({ count }) => count < 0);
  if (decreased.length === 0) return write;
  return async (db, key) => {
    await write(db, key);
    await deleteEmptyCounters(decreased)
      .execute(db)
      .catch(() => undefined);
  };
}

/**
 * The write of changes of several tasks of a user, as a whole. It locks first the tasks and then the counters, as the
 * write of one change does, each in a fixed order, so that writes never deadlock.
 */
export function writeOfSeveral(
  changes: readonly TaskChange[],
  { ids, userId }: { readonly ids: readonly string[]; readonly userId: string },
): Write {
  const counts = sumCounts(changes.flatMap((change) => change.counts));
  const decreased = counts.filter(({ count }) => count < 0);
  return (db, key) =>
    inTransaction(db, async (transaction) => {
      // The key is inserted first, because a repetition waits here for the end of the first request.
      if (key !== undefined) await insertKey(key).execute(transaction);
      await sql`
        select id from tasks where user_id = ${userId} and id = any(${ids}::uuid[])
        order by id for update`.execute(transaction);
      for (const { parts } of changes) await oneStatement(parts)(transaction);
      if (counts.length > 0) await changeCounts(counts).execute(transaction);
      if (decreased.length > 0) await deleteEmptyCounters(decreased).execute(transaction);
    });
}

/** How many tasks a user may have; undefined for no limit. */
export interface TaskQuota {
  readonly tasksMax: number | undefined;
}

/**
 * The write, undone if it leaves the user with more tasks than the quota. Tasks are counted after the write, so a
 * repetition of an earlier request fails by its key first. Writes of the user wait for each other, so that each counts
 * the tasks of the others.
 */
export function withinQuota(
  write: Write,
  { userId, added, tasksMax }: TaskQuota & { readonly userId: string; readonly added: number },
): Write {
  if (tasksMax === undefined || added <= 0) return write;
  return (db, key) =>
    inTransaction(db, async (transaction) => {
      await sql`select pg_advisory_xact_lock(${lockKey('quota', userId)}::bigint)`.execute(transaction);
      await write(transaction, key);
      const { rows } = await sql<{ count: number }>`
        select sum(count)::int as count from task_counts where user_id = ${userId}`.execute(transaction);
      if ((rows[0]?.count ?? 0) <= tasksMax) return;
      const detail = `must not add a task to the ${tasksMax} that this server keeps for a user; delete some first`;
      throw validationError([{ pointer: '', code: 'too_many', detail }]);
    });
}
