import type { Schemas } from '../contract/operation.ts';
import { schemaFields } from '../contract/schema.ts';
import type { TaskRow } from '../db/tables.ts';
import { timestampFromText } from './iso-timestamp.ts';
import { tagKeys } from './tags.ts';

export type Task = Schemas['Task'];

/** The columns of a task, in the order in which clients receive them. */
export const taskColumns = schemaFields('Task');

/** The columns whose values may be so long that they count towards the size of a page. */
export const longColumns = ['description', 'metadata'] as const satisfies readonly (keyof Task)[];

type FieldName = keyof Schemas['TaskFields'];

/** The columns that a caller can write. */
export type TaskFields = Pick<Task, FieldName>;

/** What is stored for a field that a request sends empty or as null, and for a field that a new task lacks. */
const emptyFields: TaskFields = {
  workspace_id: null,
  title: '',
  description: null,
  status: 'todo',
  priority: 'none',
  assignee_id: null,
  assignee_type: null,
  assignee_name: null,
  due_date: null,
  tags: null,
  metadata: null,
};

const fieldNames = Object.keys(emptyFields) as FieldName[];

/** All fields of a new task. */
export function newFields(body: Schemas['TaskCreate']): TaskFields {
  return { ...emptyFields, ...writtenFields(body) };
}

/** The columns that an update writes, for the fields in the body. */
export function writtenFields(body: Schemas['TaskFields']): Partial<TaskFields> {
  const written = fieldNames.flatMap((name) => {
    const value = body[name];
    return value === undefined ? [] : [[name, storedValue(name, value)] as const];
  });
  return Object.fromEntries(written);
}

function storedValue(name: FieldName, value: string | number | boolean | null): string | null {
  if (value === null || value === '') return emptyFields[name];
  return name === 'title' ? String(value).trim() : String(value);
}

/** The columns that an assignment writes: all three if the body has `assignee_id`, otherwise those in the body. */
export function assignedFields(body: Schemas['TaskAssignment']): Partial<TaskFields> {
  const written = writtenFields(body);
  if (written.assignee_id === undefined) return written;
  if (written.assignee_id === null) return { assignee_id: null, assignee_type: null, assignee_name: null };
  const { assignee_type: type, assignee_name: name = null } = written;
  return { ...written, assignee_type: type ?? 'human', assignee_name: name };
}

/** When a task was completed, given its new status and the task before the change; null unless it is done. */
export function completedAt(status: string, before: Task | undefined, at: string): string | null {
  if (status !== 'done') return null;
  return before?.status === 'done' ? before.completed_at : at;
}

/** The row of a task. */
export function taskRow(task: Task): TaskRow {
  return { ...task, ...rankOf(task), tag_keys: tagKeys(task.tags) };
}

/** Columns that order lists, but that clients do not receive. */
export function rankOf({ due_date, priority }: Task): Pick<TaskRow, 'due_at' | 'priority_rank'> {
  return {
    due_at: timestampFromText(due_date ?? '') ?? null,
    // 0 for `urgent`, 3 for `low`, 4 for any other.
    priority_rank: 3 - ['low', 'medium', 'high', 'urgent'].indexOf(priority.toLowerCase()),
  };
}

/** The columns whose changes the audit log records. */
const loggedNames = [...fieldNames, 'completed_at'] as const;

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
