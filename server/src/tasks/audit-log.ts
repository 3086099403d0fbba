import type { Db } from '../db/tables.ts';
import type { Schemas } from '../operations.ts';
import type { TaskKey } from './store.ts';

/** A page of the audit log of a task that the user owns or owned, in the order of its changes. */
export async function findAuditEntries(
  db: Db,
  task: TaskKey,
  { limit, offset }: { limit: number; offset: number },
): Promise<Schemas['AuditLogEntry'][]> {
  const rows = await db
    .selectFrom('audit_logs')
    .select(['id', 'task_id', 'action', 'actor_type', 'actor_id', 'payload', 'created_at'])
    .where('user_id', '=', task.userId)
    .where('task_id', '=', task.id)
    .orderBy('seq')
    .limit(limit)
    .offset(offset)
    .execute();
  // Only `auditEntry` writes them, with the contract's actions and kinds of actors.
  return rows as Schemas['AuditLogEntry'][];
}

/** Whether the user owns or owned the task: every task has an entry from its first moment. */
export async function hasAuditEntries(db: Db, task: TaskKey): Promise<boolean> {
  const entries = await findAuditEntries(db, task, { limit: 1, offset: 0 });
  return entries.length > 0;
}
