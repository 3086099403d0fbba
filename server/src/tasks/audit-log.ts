import { sql } from 'kysely';
import { pageOfList, readPage } from '../db/page-size-limit.ts';
import type { Db } from '../db/tables.ts';
import type { Schemas } from '../operation.ts';
import type { TaskKey } from './find-task.ts';

type Entry = Schemas['AuditLogEntry'];

/**
 * A page of the audit log of a task that the user owns or owned, in the order of its changes, and whether there is a
 * next one.
 */
export async function findAuditEntries(
  db: Db,
  task: TaskKey,
  page: { limit: number; offset: number },
): Promise<{ entries: Entry[]; hasNext: boolean }> {
  const list = {
    entries: sql`select * from audit_logs where user_id = ${task.userId} and task_id = ${task.id}`,
    columns: ['id', 'task_id', 'action', 'actor_type', 'actor_id', 'payload', 'created_at'],
    texts: ['payload'],
    order: sql`seq`,
  };
  // Only `auditEntry` writes them, with the contract's actions and kinds of actors.
  return readPage(db, sql<Entry & { found: number }>`${pageOfList(list, page)}`, page.limit);
}

/** Whether the user owns or owned the task: every task has an entry from its first moment. */
export async function hasAuditEntries(db: Db, task: TaskKey): Promise<boolean> {
  const found = await db
    .selectFrom('audit_logs')
    .select('id')
    .where('user_id', '=', task.userId)
    .where('task_id', '=', task.id)
    .limit(1)
    .execute();
  return found.length > 0;
}
