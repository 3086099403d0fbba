import { sql } from 'kysely';
import { lockKey } from '../db/advisory-lock.ts';
import { insertKey, oneStatement, inTransaction, type Statements, type Write } from '../db/write.ts';
import { validationError } from '../contract/problem.ts';
import { changeCounts, sumCounts, type CounterRow } from './count.ts';

/** A planned change of a task: its statements, of which the first locks or inserts the task. */
export interface TaskChange extends Omit<Statements, 'counters'> {
  /** What the change adds to counters. */
  readonly counts: readonly CounterRow[];
}

/** Writes one change. */
export function writeOf({ counts, ...statements }: TaskChange): Write {
  return oneStatement({ ...statements, counters: changeCounts(sumCounts(counts)) });
}

/**
 * Writes the changes of several tasks of a user, all or none. Like the write of one change, it locks the tasks first
 * and then the counters, each in a fixed order, which prevents deadlocks.
 */
export function writeOfSeveral(
  changes: readonly TaskChange[],
  { ids, userId }: { readonly ids: readonly string[]; readonly userId: string },
): Write {
  const sums = sumCounts(changes.flatMap(({ counts }) => counts));
  return (db, key) =>
    inTransaction(db, async (transaction) => {
      // Insert the key first, so that a repetition waits here until the first request ends.
      if (key !== undefined) await insertKey(key).execute(transaction);
      await sql`
        select id from tasks where user_id = ${userId} and id = any(${ids}::uuid[])
        order by id for update`.execute(transaction);
      for (const change of changes) await oneStatement(change)(transaction);
      await changeCounts(sums)?.execute(transaction);
    });
}

/** How many tasks a user may have; undefined for no limit. */
export interface TaskQuota {
  readonly tasksMax: number | undefined;
}

/**
 * Rolls a write back if the user would then have more tasks than the quota. Tasks are counted after the write, so that
 * a repeated request fails on its key first. Such writes of a user wait for each other, so each counts the tasks of the
 * others.
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
