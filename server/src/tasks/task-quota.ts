import { sql } from 'kysely';
import { lockKey } from '../db/advisory-lock.ts';
import { inTransaction, type Write } from '../db/write.ts';
import { validationError } from '../contract/problem.ts';

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
