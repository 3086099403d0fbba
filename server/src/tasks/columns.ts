import type { PositionTypes } from '../lib/cursor.ts';
import type { Request, Schemas } from '../contract/operation.ts';
import { timestampFromText } from './iso-timestamp.ts';

export type Task = Schemas['Task'];

/** The columns that a caller can write. */
export type FieldName = keyof Schemas['TaskFields'];
export type TaskFields = Pick<Task, FieldName>;

type NameOf<Sort extends string> = Sort extends `-${infer Name}` ? Name : Sort;

/** The columns that can order a list. */
export type SortName = NameOf<Request<'listTasks'>['query']['sort']>;

/** The value that a field may have in a request. */
export type WireValue<Name extends FieldName> = NonNullable<Schemas['TaskFields'][Name]> | null;

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

/** The columns that a caller can write. */
export const writtenColumns: { readonly [Name in FieldName]: Written<Name> } = columns;

export const fieldNames = taskColumns.filter((name): name is FieldName => 'fromWire' in columns[name]);

/** The columns whose changes the audit log records. */
export const loggedNames = [...fieldNames, 'completed_at'] as const;

/** A due date as a timestamp; null if it cannot be parsed. */
export function dueAt(dueDate: string | null): string | null {
  return dueDate === null ? null : (timestampFromText(dueDate) ?? null);
}

/** The place of a priority in the order by priority: 0 for `urgent`, 3 for `low`, 4 for any other. */
export function priorityRank(priority: string): number {
  return 3 - ['low', 'medium', 'high', 'urgent'].indexOf(priority.toLowerCase());
}

function textOrNull(value: string | number | boolean | null): string | null {
  return value === null || value === '' ? null : String(value);
}
