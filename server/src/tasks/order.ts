import { sql, type RawBuilder } from 'kysely';
import type { Position, PositionTypes } from '../cursor.ts';
import type { Schemas } from '../operation.ts';
import type { TaskQuery } from './filters.ts';
import { timestampFromText } from './iso-timestamp.ts';

type Sort = TaskQuery['sort'];

// Each order is total, so that pages neither overlap nor leave gaps.
export const orders: Record<Sort, RawBuilder<unknown>> = {
  created_at: sql`created_at, id`,
  '-created_at': sql`created_at desc, id desc`,
  updated_at: sql`updated_at, id`,
  '-updated_at': sql`updated_at desc, id desc`,
  due_date: sql`due_at nulls last, id`,
  '-due_date': sql`due_at desc nulls last, id desc`,
  title: sql`lower(title), id`,
  '-title': sql`lower(title) desc, id desc`,
};

/** What comes first in an order, before the id. */
interface SortKey {
  readonly column: RawBuilder<unknown>;
  readonly type: PositionTypes[number];
  readonly valueOf: (task: Schemas['Task']) => string | null;
  readonly parameter: (value: string) => RawBuilder<unknown>;
}

const createdAt = timestampKey('created_at', 'timestamp', (task) => task.created_at);
const updatedAt = timestampKey('updated_at', 'timestamp', (task) => task.updated_at);
const dueAt = timestampKey('due_at', 'timestamp or null', ({ due_date: dueDate }) =>
  dueDate === null ? null : (timestampFromText(dueDate) ?? null),
);
// Only Postgres knows how its collation lowers a title, so the position has the title itself.
const title: SortKey = {
  column: sql`lower(title)`,
  type: 'text',
  valueOf: (task) => task.title,
  parameter: (value) => sql`lower(${value}::text)`,
};

const sortKeys: Record<Sort, SortKey> = {
  created_at: createdAt,
  '-created_at': createdAt,
  updated_at: updatedAt,
  '-updated_at': updatedAt,
  due_date: dueAt,
  '-due_date': dueAt,
  title,
  '-title': title,
};

function timestampKey(column: string, type: SortKey['type'], valueOf: SortKey['valueOf']): SortKey {
  return { column: sql.ref(column), type, valueOf, parameter: (value) => sql`${value}::timestamptz` };
}

export function positionOf(sort: Sort, task: Schemas['Task']): Position {
  return [sortKeys[sort].valueOf(task), task.id];
}

export function positionTypes(sort: Sort): PositionTypes {
  return [sortKeys[sort].type, 'id'];
}

/** The condition for tasks after the position where the page begins; empty on a page without one. */
export function andAfter({ sort, after }: TaskQuery, idColumn = 'id'): RawBuilder<unknown> {
  if (after === undefined) return sql``;
  const [value = null, id = null] = after;
  const { column, type, parameter } = sortKeys[sort];
  const follows = sql.raw(sort.startsWith('-') ? '<' : '>');
  const key = sql.ref(idColumn);
  if (value === null) return sql` and ${column} is null and ${key} ${follows} ${id}::uuid`;
  const followsInOrder = sql`(${column}, ${key}) ${follows} (${parameter(value)}, ${id}::uuid)`;
  // Tasks without a due date come last in both directions.
  return type === 'timestamp or null'
    ? sql` and (${followsInOrder} or ${column} is null)`
    : sql` and ${followsInOrder}`;
}
