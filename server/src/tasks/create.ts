import { sql } from 'kysely';
import { insertRows } from '../db/insert.ts';
import { timestamp } from '../db/timestamps.ts';
import { newETag, newId } from '../ids.ts';
import type { Principal } from '../operation.ts';
import { insertEntry } from './audit-entry.ts';
import { countRow } from './count.ts';
import { insertTags } from './tag-index.ts';
import type { Task, TaskFields } from './columns.ts';
import type { TaskChange } from './task-change.ts';
import { loggedValues, withComputed, writtenRow } from './task.ts';

interface NewTaskPlan {
  readonly task: Task;
  readonly change: TaskChange;
}

/** A new task, and the change that inserts it with its tags, audit entry and count. */
export function planNewTask(caller: Principal, fields: TaskFields): NewTaskPlan {
  const at = timestamp();
  const values = {
    id: newId(),
    user_id: caller.id,
    ...fields,
    created_at: at,
    updated_at: at,
    etag: newETag(),
  };
  // The reply uses these values without reading them back, because the database stores text unchanged.
  const task = withComputed(values, undefined, at);
  return { task, change: newTaskChange(caller, task) };
}

function newTaskChange(caller: Principal, task: Task): TaskChange {
  const row = { ...task, ...writtenRow(task) };
  const payload = loggedValues(task);
  return {
    first: sql`${insertRows('tasks', [row])} returning id`,
    others: {
      tags: insertTags(task, row.tag_keys),
      entry: insertEntry({ task, action: 'create', payload, at: task.created_at, caller }),
    },
    counts: [countRow(task)],
  };
}
