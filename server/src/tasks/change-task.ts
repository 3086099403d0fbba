import { sql } from 'kysely';
import { Problem } from '../contract/problem.ts';
import { newETag, matchesETag } from '../lib/ids.ts';
import type { Request, Caller } from '../contract/operation.ts';
import { insertEntry, timeOfChange } from './audit-log.ts';
import { countChange } from './count.ts';
import type { TaskWithAuditSeq } from './find-task.ts';
import { changeTags } from './tags.ts';
import type { TaskChange } from './task-write.ts';
import { changesOf, completedAt, writtenRow, type Task, type TaskFields } from './task.ts';

/** The caller who changes a task, and the headers that say which version the task must have. */
interface Condition {
  readonly caller: Caller;
  readonly headers: Request<'updateTask'>['headers'];
}

/**
 * Plans an update. Returns the task with the new fields, and the change that stores the task and logs the old and new
 * values; no change if all values are the same.
 */
export function planUpdate(
  { task: old, next }: TaskWithAuditSeq,
  action: 'update' | 'assign',
  fields: Partial<TaskFields>,
  { caller, headers }: Condition,
): { readonly task: Task; readonly change?: TaskChange } {
  if (Object.keys(fields).length === 0) throw new Problem('No fields to update');
  assertMatches(headers, old);
  const at = timeOfChange(next);
  const task = { ...old, ...fields, updated_at: at, etag: newETag() };
  task.completed_at = completedAt(task.status, old, at);
  const changes = changesOf(old, task);
  if (Object.keys(changes).length === 0) return { task: old };
  const leftWorkspaceId = task.workspace_id === old.workspace_id ? null : old.workspace_id;
  const assignments = Object.entries(writtenRow(task)).map(
    ([name, value]) => sql`${sql.raw(name)} = ${value}`,
  );
  const change = {
    first: sql`
      update tasks set ${sql.join(assignments)}
      where user_id = ${task.user_id} and id = ${task.id}
      returning id`,
    others: {
      ...changeTags(old, task),
      entry: insertEntry({ task, leftWorkspaceId, action, payload: { changes }, at, caller, next }),
    },
    counts: countChange(old, task),
  };
  return { task, change };
}

/** Plans the deletion of a task with its comments, and the log entry with its last state. */
export function planDeletion({ task, next }: TaskWithAuditSeq, { caller, headers }: Condition): TaskChange {
  assertMatches(headers, task);
  return {
    first: sql`delete from tasks where user_id = ${task.user_id} and id = ${task.id} returning id`,
    others: {
      ...changeTags(task),
      entry: insertEntry({ task, action: 'delete', payload: task, at: timeOfChange(next), caller, next }),
    },
    counts: countChange(task),
  };
}

/** Checks the ETag of the task as it was read. If another request changes the task first, the write does nothing. */
function assertMatches(headers: Condition['headers'], { etag }: Task): void {
  const { 'if-match': required, 'if-none-match': excluded } = headers;
  if (required !== undefined && !matchesETag(required, etag)) throw new Problem('Precondition failed');
  if (excluded !== undefined && matchesETag(excluded, etag))
    throw new Problem(
      'Precondition failed',
      'The task matches If-None-Match, so it was not changed. Leave the header out to change it.',
    );
}
