import { sql } from 'kysely';
import { timestamp } from '../db/timestamps.ts';
import { newETag } from '../lib/ids.ts';
import type { Principal } from '../contract/operation.ts';
import { insertEntry } from './audit-entry.ts';
import { countChange } from './count.ts';
import type { LoggedTask } from './find-task.ts';
import { changeTags } from './tag-index.ts';
import type { TaskChange } from './task-change.ts';
import type { Task, TaskFields } from './columns.ts';
import { changesOf, withComputed, writtenRow } from './task.ts';

interface Update {
  readonly action: 'update' | 'assign';
  readonly fields: Partial<TaskFields>;
  readonly caller: Principal;
}

/**
 * The task with the new fields, and the change that stores it and logs the old and new values. There is no change if
 * all values are the same.
 */
export function planUpdate(
  { task: old, next }: LoggedTask,
  { action, fields, caller }: Update,
): { readonly task: Task; readonly change?: TaskChange } {
  const now = timestamp();
  // Another server may have written the task last, and its clock may be ahead.
  const at = now > old.updated_at ? now : old.updated_at;
  const task = withComputed({ ...old, ...fields, updated_at: at, etag: newETag() }, old, at);
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
