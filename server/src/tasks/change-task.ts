import { sql, type RawBuilder } from 'kysely';
import { insertRows } from '../db/rows.ts';
import { oneStatement, type Statements, type Write } from '../db/write.ts';
import { Problem } from '../contract/problem.ts';
import { timestamp } from '../db/timestamps.ts';
import { newETag, matchesETag } from '../lib/ids.ts';
import type { Request } from '../contract/operation.ts';
import { insertEntry, type NewEntry } from './audit-log.ts';
import { changeCounts, countRow, type CounterRow } from './count.ts';
import type { TaskWithAuditSeq } from './find-task.ts';
import { changeTags } from './tags.ts';
import { changesOf, completedAt, taskRow, type Task, type TaskFields } from './task.ts';

/** A planned change of a task, with its audit entry. */
export interface TaskChange extends NewEntry {
  readonly task: Task;
  /** Undefined for a new task. */
  readonly before?: Task;
}

/** The caller who changes a task, and the headers that say which version the task must have. */
type Condition = Pick<Request<'updateTask'>, 'caller' | 'headers'>;

/**
 * Plans an update. Returns the task with the new fields, and the change that stores the task and logs the old and new
 * values; no change if all values are the same.
 */
export function planUpdate(
  { task: before, seq }: TaskWithAuditSeq,
  action: 'update' | 'assign',
  fields: Partial<TaskFields>,
  { caller, headers }: Condition,
): { readonly task: Task; readonly change?: TaskChange } {
  if (Object.keys(fields).length === 0) throw new Problem('No fields to update');
  assertMatches(headers, before);
  const at = timestamp();
  const task = { ...before, ...fields, updated_at: at, etag: newETag() };
  task.completed_at = completedAt(task.status, before, at);
  const changes = changesOf(before, task);
  if (Object.keys(changes).length === 0) return { task: before };
  return { task, change: { before, task, action, payload: { changes }, at, caller, seq } };
}

/** Plans the deletion of a task with its comments, and the log entry with its last state. */
export function planDeletion({ task, seq }: TaskWithAuditSeq, { caller, headers }: Condition): TaskChange {
  assertMatches(headers, task);
  return { before: task, task, action: 'delete', payload: task, at: timestamp(), caller, seq };
}

/** Checks the ETag of the task as it was read. If another request changes the task before the write, the write fails. */
function assertMatches(headers: Condition['headers'], { etag }: Task): void {
  const { 'if-match': required, 'if-none-match': excluded } = headers;
  if (required !== undefined && !matchesETag(required, etag)) throw new Problem('Precondition failed');
  if (excluded !== undefined && matchesETag(excluded, etag))
    throw new Problem(
      'Precondition failed',
      'The task matches If-None-Match, so it was not changed. Leave the header out to change it.',
    );
}

/** The write of one change. */
export function writeOf(change: TaskChange): Write {
  return oneStatement({ ...statementsOf(change), counters: changeCounts(countsOf(change)) });
}

/** The statements of a change without its counters. The first one locks or inserts the task. */
export function statementsOf(change: TaskChange): Statements {
  const { task, before, action } = change;
  const tags = changeTags(task, before?.tags ?? null, action === 'delete' ? null : task.tags);
  return { first: statementOf(change), others: { ...tags, entry: insertEntry(change) } };
}

/** The statement that changes the row of the task. */
function statementOf({ task, action }: TaskChange): RawBuilder<unknown> {
  const { id, user_id, created_at, ...written } = taskRow(task);
  if (action === 'create') return sql`${insertRows('tasks', [taskRow(task)])} returning id`;
  const isTask = sql`user_id = ${user_id} and id = ${id}`;
  if (action === 'delete') return sql`delete from tasks where ${isTask} returning id`;
  const assignments = Object.entries(written).map(([name, value]) => sql`${sql.raw(name)} = ${value}`);
  return sql`update tasks set ${sql.join(assignments)} where ${isTask} returning id`;
}

/** What a change adds to counters. */
export function countsOf({ task, before, action }: TaskChange): CounterRow[] {
  const removed = before === undefined ? [] : [{ ...countRow(before), count: -1 }];
  return action === 'delete' ? removed : [...removed, countRow(task)];
}
