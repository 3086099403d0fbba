import { sql } from 'kysely';
import { insertKey } from '../db/idempotency-keys.ts';
import { oneStatement, type Parts } from '../db/one-statement.ts';
import type { Write } from '../db/write.ts';
import { changeCounts, deleteEmptyCounters, sumCounts, type CounterRow } from './count.ts';

/**
 * A planned change of a task: its statements, of which `task` locks or inserts the row, and its additions to the
 * counters.
 */
export interface TaskChange {
  readonly parts: Parts;
  readonly counts: readonly CounterRow[];
}

/**
 * The write of one change. A statement cannot change a row twice, so a second one deletes a counter that has become
 * zero. If the second one fails, the zero stays. In a transaction, its failure would end everything, so everything is
 * repeated.
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
    db.transaction().execute(async (transaction) => {
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
