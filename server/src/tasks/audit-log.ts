import { sql } from 'kysely';
import { listByKeys, type List } from '../db/list.ts';
import type { RowKey } from '../db/row-key.ts';
import type { Db } from '../db/tables.ts';
import type { Schemas } from '../contract/operation.ts';

// Rows have this type, because only `audit-entry` inserts them, with the contract's actions and actor types. A bigint
// is text in one engine and a number in the other.
type Entry = Schemas['AuditLogEntry'] & { readonly seq: string | number };

/** The audit log of a task that belongs or belonged to the user, oldest entry first. */
export function auditLogOf(task: RowKey): List<Entry> {
  return listByKeys({
    entries: sql`select * from audit_logs where user_id = ${task.userId} and task_id = ${task.id}`,
    columns: ['id', 'task_id', 'action', 'actor_type', 'actor_id', 'payload', 'created_at', 'seq'],
    texts: ['payload'],
    keys: { seq: 'bigint' },
  });
}

/**
 * Deletes the logs of at most `max` tasks that were deleted more than `maxAgeMs` ago. Resolves to their number. Each
 * deletion's entry stays, without the task's state, because readers of changes who are behind still need it.
 */
export async function deleteOldLogs(db: Db, maxAgeMs: number, max: number): Promise<number> {
  const { rows } = await sql<{ user_id: string; ids: string[] }>`
    select user_id, array_agg(task_id) as ids from (
      select user_id, task_id from audit_logs
      where action = 'delete' and payload <> '{}'
        and recorded_us < (extract(epoch from now() - ${maxAgeMs} * interval '1 ms') * 1000000)::bigint
      limit ${max}
    ) old group by user_id`.execute(db);
  for (const { user_id: userId, ids } of rows) {
    const ofTasks = sql`user_id = ${userId} and task_id = any(${ids}::uuid[])`;
    await sql`
      with deleted as (delete from audit_logs where ${ofTasks} and action <> 'delete')
      update audit_logs set payload = '{}' where ${ofTasks} and action = 'delete'`.execute(db);
  }
  return rows.reduce((sum, { ids }) => sum + ids.length, 0);
}
