import { timestamp } from '../db/timestamps.ts';
import type { Write } from '../db/write.ts';
import { newId } from '../ids.ts';
import type { Principal } from '../operation.ts';
import { auditContextOf, firstEntry } from './audit-entry.ts';
import { countRow } from './count.ts';
import type { StoredTask } from './find-task.ts';
import { tagRows } from './tag-index.ts';
import { givenFields, type DerivedFields, type TaskFields } from './task.ts';

interface NewTaskPlan extends StoredTask {
  readonly write: Write;
}

/** A new task, and the write that inserts it with its tags, its audit entry and its count. */
export function planNewTask(caller: Principal, fields: TaskFields & DerivedFields): NewTaskPlan {
  const at = timestamp();
  const row = { id: newId(), user_id: caller.id, ...fields, created_at: at, updated_at: at };
  const entry = firstEntry({
    task: row,
    action: 'create',
    payload: givenFields(fields),
    at,
    auditContext: auditContextOf(caller),
  });
  // The reply is made from the row instead of read back: the database stores text unchanged.
  const { due_at, tag_keys, ...task } = row;
  const rows = {
    tasks: [row],
    task_tags: tagRows(row, row.tag_keys),
    audit_logs: [entry],
    task_counts: [countRow(row)],
  };
  return { task, version: 1, write: { rows } };
}
