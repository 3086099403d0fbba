import { sql } from 'kysely';
import { insertRows } from '../db/insert.ts';
import { oneStatement, type Parts } from '../db/one-statement.ts';
import { timestamp } from '../db/timestamps.ts';
import type { Write } from '../db/write.ts';
import { newId } from '../ids.ts';
import type { Principal, Schemas } from '../operation.ts';
import { insertEntry } from './audit-entry.ts';
import { changeCounts, countRow } from './count.ts';
import type { StoredTask } from './find-task.ts';
import { insertTags } from './tag-index.ts';
import { givenFields, type DerivedFields, type TaskFields } from './task.ts';

interface NewTaskPlan extends StoredTask {
  readonly write: Write;
}

type NewTaskRow = Schemas['Task'] & DerivedFields;

/** A new task, and the write that inserts it with its tags, its audit entry and its count. */
export function planNewTask(caller: Principal, fields: TaskFields & DerivedFields): NewTaskPlan {
  const at = timestamp();
  const row = { id: newId(), user_id: caller.id, ...fields, created_at: at, updated_at: at };
  // The reply is made from the row instead of read back: the database stores text unchanged.
  const { due_at, tag_keys, ...task } = row;
  return { task, version: 1, write: oneStatement(newTaskParts(caller, row)) };
}

export function newTaskParts(caller: Principal, row: NewTaskRow): Parts {
  const payload = givenFields(row);
  return {
    task: sql`${insertRows('tasks', [row])} returning id`,
    counts: changeCounts([countRow(row)]),
    tags: insertTags(row, row.tag_keys),
    entry: insertEntry({ task: row, action: 'create', payload, at: row.created_at, caller }),
  };
}
