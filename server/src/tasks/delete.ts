import { timestamp } from '../db/timestamps.ts';
import type { WriteTarget } from '../db/write.ts';
import { insertEntry, type AuditContext } from './audit-entry.ts';
import { countChange } from './count.ts';
import type { TaskKey } from './find-task.ts';
import { withLockedTask } from './locked-task.ts';
import { changeTags } from './tag-index.ts';

interface Deletion {
  /** The versions that may be deleted; undefined for any. */
  readonly versions: readonly number[] | undefined;
  readonly auditContext: AuditContext;
}

/**
 * Deletes a task with its comments and writes an audit entry with its last state. Resolves to `stale` if the task has
 * another version, and to undefined if the user has no such task.
 */
export function removeTask(
  target: WriteTarget,
  key: TaskKey,
  { versions, auditContext }: Deletion,
): Promise<'deleted' | 'stale' | undefined> {
  return withLockedTask(target, key, versions, ({ task }) => ({
    result: 'deleted',
    statements: [
      insertEntry({ task, action: 'delete', payload: task, at: timestamp(), auditContext }),
      ...changeTags(task),
      { text: 'delete from tasks where user_id = $1 and id = $2', values: [task.user_id, task.id] },
      ...countChange(task),
    ],
  }));
}
