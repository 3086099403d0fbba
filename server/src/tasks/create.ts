import { sql } from 'kysely';
import { insertRows } from '../db/insert.ts';
import { oneStatement, type Parts } from '../db/one-statement.ts';
import { timestamp } from '../db/timestamps.ts';
import type { Write } from '../db/write.ts';
import { newETag, newId } from '../ids.ts';
import type { Principal } from '../operation.ts';
import { insertEntry } from './audit-entry.ts';
import { changeCounts, countRow } from './count.ts';
import { insertTags } from './tag-index.ts';
import type { Task, TaskFields } from './columns.ts';
import { loggedValues, withComputed, writtenRow } from './task.ts';

interface NewTaskPlan {
  readonly task: Task;
  readonly write: Write;
}

/** A new task, and the write that inserts it with its tags, its audit entry and its count. */
export function planNewTask(caller: Principal, fields: TaskFields): NewTaskPlan {
  const at = timestamp();
  const given = {
    id: newId(),
    user_id: caller.id,
    ...fields,
    created_at: at,
    updated_at: at,
    etag: newETag(),
  };
  // The reply is made from these values instead of read back: the database stores text unchanged.
  const task = withComputed(given, undefined, at);
  return { task, write: oneStatement(newTaskParts(caller, task)) };
}

export function newTaskParts(caller: Principal, task: Task): Parts {
  const row = { ...task, ...writtenRow(task) };
  const payload = loggedValues(task);
  return {
    task: sql`${insertRows('tasks', [row])} returning id`,
    counts: changeCounts([countRow(task)]),
    tags: insertTags(task, row.tag_keys),
    entry: insertEntry({ task, action: 'create', payload, at: task.created_at, caller }),
  };
}
