import { sql, type RawBuilder } from 'kysely';
import type { Position, PositionTypes } from '../cursor.ts';
import { columns, type Order, type SortName, type Task } from './columns.ts';
import type { TaskQuery } from './filters.ts';

type Sort = TaskQuery['sort'];

/** The ORDER BY of a list. It is total, so that pages neither overlap nor leave gaps. Missing dates come last. */
export function orderBy(sort: Sort): RawBuilder<unknown> {
  const direction = sql.raw(isDescending(sort) ? ' desc' : '');
  const nulls = sql.raw(orderOf(sort).type === 'timestamp or null' ? ' nulls last' : '');
  return sql`${keyOf(sort)}${direction}${nulls}, id${direction}`;
}

function isDescending(sort: Sort): boolean {
  return sort.startsWith('-');
}

function nameOf(sort: Sort): SortName {
  // A sort is the name of a column, after a minus if it is descending.
  return sort.replace(/^-/, '') as SortName;
}

function orderOf(sort: Sort): Order {
  return columns[nameOf(sort)].order;
}

/** The expression that a list is sorted by; tasks with equal values are sorted by their ids. */
function keyOf(sort: Sort): RawBuilder<unknown> {
  const { type, column = nameOf(sort) } = orderOf(sort);
  return type === 'text' ? sql`lower(${sql.ref(column)})` : sql.ref(column);
}

export function positionOf(sort: Sort, task: Task): Position {
  return [orderOf(sort).valueOf(task), task.id];
}

export function positionTypes(sort: Sort): PositionTypes {
  return [orderOf(sort).type, 'id'];
}

/** The condition for tasks after the position where the page begins; empty on a page without one. */
export function andAfter({ sort, after }: TaskQuery, idColumn = 'id'): RawBuilder<unknown> {
  if (after === undefined) return sql``;
  const [value = null, id = null] = after;
  const { type } = orderOf(sort);
  const follows = sql.raw(isDescending(sort) ? '<' : '>');
  const key = sql.ref(idColumn);
  if (value === null) return sql` and ${keyOf(sort)} is null and ${key} ${follows} ${id}::uuid`;
  const start = type === 'text' ? sql`lower(${value}::text)` : sql`${value}::timestamptz`;
  const followsInOrder = sql`(${keyOf(sort)}, ${key}) ${follows} (${start}, ${id}::uuid)`;
  // Tasks without the date come last in both directions.
  return type === 'timestamp or null'
    ? sql` and (${followsInOrder} or ${keyOf(sort)} is null)`
    : sql` and ${followsInOrder}`;
}
