import { sql } from 'kysely';
import { lockKey } from '../db/advisory-lock.ts';
import type { Db } from '../db/tables.ts';

/**
 * Corrects the counters of a user, and resolves to the number of wrong counters. It computes the right numbers at one
 * moment and adds the difference, because concurrent writers add to the counters too. It waits only for writers of the
 * same counter, and readers never see a right number become wrong.
 */
export function recountTasks(db: Db, userId: string): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    // Two concurrent recounts would both add the difference.
    await sql`select pg_advisory_xact_lock(${lockKey('recount', userId)}::bigint)`.execute(transaction);
    const { numAffectedRows } = await sql`
      insert into task_counts (user_id, workspace_id, status, bucket, count)
      select ${userId}, workspace_id, status, bucket, sum(tasks) from (
        select coalesce(workspace_id, '') as workspace_id, status, ${bucket} as bucket, count(*) as tasks
        from tasks where user_id = ${userId} group by 1, 2, 3
        union all
        select workspace_id, status, bucket, -count from task_counts where user_id = ${userId}
      ) counted
      group by workspace_id, status, bucket having sum(tasks) <> 0
      on conflict (user_id, workspace_id, status, bucket)
      do update set count = task_counts.count + excluded.count`.execute(transaction);
    await sql`delete from task_counts where user_id = ${userId} and count = 0`.execute(transaction);
    return Number(numAffectedRows ?? 0);
  });
}

/** Must match `countRow`, which takes two hexadecimal digits of the id: its byte 13. */
const bucket = sql`get_byte(uuid_send(id), 13) % 4`;
