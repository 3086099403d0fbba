import type { TaskRow } from '../db/tables.ts';
import type { Schemas } from '../contract/operation.ts';
import {
  dueAt,
  priorityRank,
  fieldNames,
  loggedNames,
  type FieldName,
  type Task,
  type TaskFields,
  type WireValue,
  writtenColumns,
} from './columns.ts';
import { tagKeys } from './tag-index.ts';

/** All fields of a new task. Fields that the body lacks have their defaults. */
export function newFields(body: Schemas['TaskCreate']): TaskFields {
  // The cast is safe, because `absent` has every field, and `writtenFields` keeps them all.
  return writtenFields({ ...absent, ...body }) as TaskFields;
}

const absent = Object.fromEntries(fieldNames.map((name) => [name, null]));

/** The columns that an update writes, for the fields in the body. */
export function writtenFields(
  body: Schemas['TaskFields'],
  names: readonly FieldName[] = fieldNames,
): Partial<TaskFields> {
  const written: Partial<TaskFields> = {};
  for (const name of names) writeField(written, name, body[name]);
  return written;
}

function writeField<Name extends FieldName>(
  written: Partial<Pick<Task, Name>>,
  name: Name,
  value: WireValue<Name> | undefined,
): void {
  if (value !== undefined) written[name] = writtenColumns[name].fromWire(value);
}

/** The columns that an assignment writes: all three if the body has `assignee_id`, otherwise those in the body. */
export function assignedFields(body: Schemas['TaskAssignment']): Partial<TaskFields> {
  const written = writtenFields(body, ['assignee_id', 'assignee_type', 'assignee_name']);
  if (written.assignee_id === undefined) return written;
  if (written.assignee_id === null) return { assignee_id: null, assignee_type: null, assignee_name: null };
  return {
    assignee_id: written.assignee_id,
    assignee_type: written.assignee_type ?? 'human',
    assignee_name: written.assignee_name ?? null,
  };
}

/** When a task was completed, given its new status and the task before the change; null unless it is done. */
export function completedAt(status: string, before: Task | undefined, at: string): string | null {
  if (status !== 'done') return null;
  return before?.status === 'done' ? before.completed_at : at;
}

/**
 * The columns that an INSERT or UPDATE sets. Three of them are only for filters and orders; clients do not receive
 * them.
 */
export function writtenRow(task: Task): Omit<TaskRow, 'id' | 'user_id' | 'created_at'> {
  const { id, user_id, created_at, ...written } = task;
  const [due_at, priority_rank] = [dueAt(task.due_date), priorityRank(task.priority)];
  return { ...written, due_at, priority_rank, tag_keys: tagKeys(task.tags) };
}

/** The payload of a `create` entry: the logged columns that are not null. */
export function loggedValues(task: Task): object {
  return Object.fromEntries(
    loggedNames.filter((name) => task[name] !== null).map((name) => [name, task[name]]),
  );
}

/** The old and new values of the logged columns that have changed. */
export function changesOf(before: Task, after: Task): object {
  return Object.fromEntries(
    loggedNames
      .filter((name) => after[name] !== before[name])
      .map((name) => [name, { from: before[name], to: after[name] }]),
  );
}
