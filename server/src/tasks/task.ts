import type { PositionTypes } from '../lib/cursor.ts';
import type { Request, Schemas } from '../contract/operation.ts';
import type { TaskRow } from '../db/tables.ts';
import { timestampFromText } from './iso-timestamp.ts';
import { tagKeys } from './tags.ts';

export type Task = Schemas['Task'];

/** The columns that a caller can write. */
type FieldName = keyof Schemas['TaskFields'];
export type TaskFields = Pick<Task, FieldName>;

type NameOf<Sort extends string> = Sort extends `-${infer Name}` ? Name : Sort;

/** The columns that can order a list. */
export type SortName = NameOf<Request<'listTasks'>['query']['sort']>;

/** The value that a field may have in a request. */
type WireValue<Name extends FieldName> = NonNullable<Schemas['TaskFields'][Name]> | null;

interface Written<Name extends FieldName> {
  /** Converts the value of a field in a request. An empty value becomes null, and null becomes the default. */
  readonly fromWire: (value: WireValue<Name>) => Task[Name];
}

/** How a column orders a list. */
export interface Order<Type extends PositionTypes[number] = PositionTypes[number]> {
  readonly type: Type;
  /** Another column that orders the list instead, and its value for a task. */
  readonly other?: {
    readonly column: 'due_at' | 'priority_rank';
    readonly valueOf: (task: Task) => string | number | null;
  };
}

/** A nullable column needs a type that ends with `or null`, or another column that orders the list. */
type OrderOf<Name extends keyof Task> =
  | Order<null extends Task[Name] ? `${OrderType<Task[Name]>} or null` : OrderType<Task[Name]>>
  | Required<Order>;
type OrderType<Value> = Extract<Value, number> extends never ? 'timestamp' | 'text' : 'integer';

type Column<Name extends keyof Task> = (Name extends FieldName ? Written<Name> : object) &
  (Name extends SortName ? { readonly order: OrderOf<Name> } : object) & {
    /** True if values may be so long that they count towards the size of a page. */
    readonly isLong?: true;
  };

/**
 * The columns of a task, in the order in which clients receive them. `tsc` reports a column that is missing, or that
 * lacks what the contract requires. Filters have entries in `filters.ts`.
 */
export const columns: { readonly [Name in keyof Task]: Column<Name> } = {
  id: {},
  user_id: {},
  workspace_id: { fromWire: textOrNull },
  title: {
    fromWire: (value) => String(value).trim(),
    // A position has the title unchanged: its lower case depends on the collation, so only Postgres can compute it.
    order: { type: 'text' },
  },
  description: { fromWire: textOrNull, isLong: true },
  status: { fromWire: (value) => textOrNull(value) ?? 'todo' },
  priority: {
    fromWire: (value) => textOrNull(value) ?? 'none',
    order: {
      type: 'integer',
      other: { column: 'priority_rank', valueOf: ({ priority }) => priorityRank(priority) },
    },
  },
  assignee_id: { fromWire: textOrNull },
  assignee_type: { fromWire: textOrNull },
  assignee_name: { fromWire: textOrNull },
  due_date: {
    fromWire: textOrNull,
    order: {
      type: 'timestamp or null',
      other: { column: 'due_at', valueOf: ({ due_date }) => dueAt(due_date) },
    },
  },
  tags: { fromWire: textOrNull },
  metadata: { fromWire: textOrNull, isLong: true },
  completed_at: { order: { type: 'timestamp or null' } },
  created_at: { order: { type: 'timestamp' } },
  updated_at: { order: { type: 'timestamp' } },
  etag: {},
};

export const taskColumns = Object.keys(columns) as (keyof Task)[];

/** The columns whose values may be long. */
export const longColumns = taskColumns.filter((name) => columns[name].isLong === true);

const fieldNames = taskColumns.filter((name): name is FieldName => 'fromWire' in columns[name]);

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

const writtenColumns: { readonly [Name in FieldName]: Written<Name> } = columns;

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

/** A due date as a timestamp; null if it cannot be parsed. */
function dueAt(dueDate: string | null): string | null {
  return dueDate === null ? null : (timestampFromText(dueDate) ?? null);
}

/** The place of a priority in the order by priority: 0 for `urgent`, 3 for `low`, 4 for any other. */
function priorityRank(priority: string): number {
  return 3 - ['low', 'medium', 'high', 'urgent'].indexOf(priority.toLowerCase());
}

function textOrNull(value: string | number | boolean | null): string | null {
  return value === null || value === '' ? null : String(value);
}
