import { timestamp } from '../db/timestamps.ts';
import type { Statement, WriteTarget } from '../db/write.ts';
import type { Schemas } from '../operation.ts';
import { insertEntry, type AuditContext } from './audit-entry.ts';
import { countChange } from './count.ts';
import type { StoredTask, TaskKey } from './find-task.ts';
import { withLockedTask } from './locked-task.ts';
import { changeTags } from './tag-index.ts';
import { fieldNames, withDerived, writtenColumns, type TaskFields } from './task.ts';

interface Change {
  readonly action: 'update' | 'assign';
  readonly fields: Partial<TaskFields>;
  /** The versions that may be changed; undefined for any. */
  readonly versions: readonly number[] | undefined;
  readonly auditContext: AuditContext;
}

/**
 * Merges fields into a task and writes an audit entry with the old and new values. An update that changes no value writes
 * nothing. Resolves to the updated task, to `stale` if the task has another version, and to undefined if the user has no
 * such task.
 */
export function changeTask(
  target: WriteTarget,
  key: TaskKey,
  { action, fields, versions, auditContext }: Change,
): Promise<StoredTask | 'stale' | undefined> {
  return withLockedTask(target, key, versions, (old) => {
    const changes = changesOf(old.task, fields);
    if (Object.keys(changes).length === 0) return { result: old, statements: [] };
    const now = timestamp();
    // The clock of the server that wrote the task before may be ahead of this one.
    const at = now > old.task.updated_at ? now : old.task.updated_at;
    const task = { ...old.task, ...fields, updated_at: at };
    const isMoved = task.workspace_id !== old.task.workspace_id;
    const leftWorkspaceId = isMoved ? old.task.workspace_id : null;
    const statements = [
      updateStatement(task),
      ...changeTags(old.task, task),
      insertEntry({ task, leftWorkspaceId, action, payload: { changes }, at, auditContext }),
      ...countChange(old.task, task),
    ];
    return { result: { task, version: old.version + 1 }, statements };
  });
}

/** The old and new values of the fields that differ. */
function changesOf(old: Schemas['Task'], fields: Partial<TaskFields>): object {
  return Object.fromEntries(
    fieldNames
      .filter((name) => fields[name] !== undefined && fields[name] !== old[name])
      .map((name) => [name, { from: old[name], to: fields[name] }]),
  );
}

function updateStatement(task: Schemas['Task']): Statement {
  const row = withDerived(task);
  return {
    text: updateColumns,
    values: [task.user_id, task.id, task.updated_at, ...writtenColumns.map((name) => row[name])],
  };
}

const updateColumns = `
  update tasks
  set version = version + 1, updated_at = $3, ${writtenColumns.map((name, i) => `${name} = $${i + 4}`).join(', ')}
  where user_id = $1 and id = $2`;
