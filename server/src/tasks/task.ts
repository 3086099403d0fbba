import type { TaskRow } from '../db/tables.ts';
import type { Schemas } from '../operation.ts';
import { timestampFromText } from './iso-timestamp.ts';
import { tagKeys } from './tag-index.ts';

type FieldName = keyof Schemas['TaskFields'];

/** The columns that a caller can write. */
export type TaskFields = Pick<TaskRow, FieldName>;

/** The columns that are computed from those. */
export type DerivedFields = Pick<TaskRow, 'due_at' | 'tag_keys'>;

/** Converts the value of each field to the value of its column: an empty value is null, and null is the default. */
const columnFromWire: Record<FieldName, (value: string | number | boolean | null) => string | null> = {
  workspace_id: textOrNull,
  title: (value) => String(value).trim(),
  description: textOrNull,
  status: (value) => textOrNull(value) ?? 'todo',
  priority: (value) => textOrNull(value) ?? 'none',
  assignee_id: textOrNull,
  assignee_type: textOrNull,
  assignee_name: textOrNull,
  due_date: textOrNull,
  tags: textOrNull,
  metadata: textOrNull,
};

// The keys of an exhaustive record are the names of the contract's TaskFields.
export const fieldNames = Object.keys(columnFromWire) as FieldName[];

/** All columns that a caller writes or that are computed from those. */
export const writtenColumns = [...fieldNames, 'due_at', 'tag_keys'] as const;

/** All columns of a new task. Fields that the body lacks have their defaults. */
export function newTask(body: Schemas['TaskCreate']): TaskFields & DerivedFields {
  // Every column is present, because `absent` has every name of the contract's TaskFields.
  return withDerived(writtenFields({ ...absent, ...body })) as TaskFields & DerivedFields;
}

const absent = Object.fromEntries(fieldNames.map((name) => [name, null]));

/** The columns that an update writes, for the fields in the body. */
export function writtenFields(
  body: Schemas['TaskFields'],
  names: readonly FieldName[] = fieldNames,
): Partial<TaskFields> {
  const written: Partial<Record<FieldName, string | null>> = {};
  for (const name of names) {
    const value = body[name];
    if (value !== undefined) written[name] = columnFromWire[name](value);
  }
  // Only title, status and priority are never null, and their converters return text.
  return written as Partial<TaskFields>;
}

/** The columns that an assignment writes: all three if the body has an id, otherwise the columns in the body. */
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

/** The fields that are not null: the payload of a `create` entry. */
export function givenFields(fields: TaskFields): object {
  return Object.fromEntries(
    fieldNames.filter((name) => fields[name] !== null).map((name) => [name, fields[name]]),
  );
}

/** Adds the columns that are computed from the fields. */
export function withDerived(fields: Partial<TaskFields>): Partial<TaskFields & DerivedFields> {
  const { due_date: dueDate, tags } = fields;
  const derived: Partial<DerivedFields> = {};
  if (dueDate !== undefined) derived.due_at = dueDate === null ? null : (timestampFromText(dueDate) ?? null);
  if (tags !== undefined) derived.tag_keys = tagKeys(tags);
  return { ...fields, ...derived };
}

function textOrNull(value: string | number | boolean | null): string | null {
  return value === null || value === '' ? null : String(value);
}
