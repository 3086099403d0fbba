import { sql, type RawBuilder } from 'kysely';
import type { Position, PositionTypes } from '../cursor.ts';
import { columns, type Order, type SortName, type Task } from './columns.ts';
import type { TaskQuery } from './filters.ts';

type Sort = TaskQuery['sort'];

/** The ORDER BY of a list. It is total, so that pages neither overlap nor leave gaps. Missing values come last. */
export function orderBy(sort: Sort): RawBuilder<unknown> {
  const direction = sql.raw(isDescending(sort) ? ' desc' : '');
  const nulls = sql.raw(isNullable(sort) ? ' nulls last' : '');
  return sql`${keyOf(sort)}${direction}${nulls}, id${direction}`;
}

function isDescending(sort: Sort): boolean {
  return sort.startsWith('-');
}

function nameOf(sort: Sort): SortName {
  // A sort is the name of a column, with a minus before it for descending order.
  return sort.replace(/^-/, '') as SortName;
}

function orderOf(sort: Sort): Order {
  return columns[nameOf(sort)].order;
}

function isNullable(sort: Sort): boolean {
  return orderOf(sort).type.endsWith(' or null');
}

function isText(sort: Sort): boolean {
  return orderOf(sort).type.startsWith('text');
}

/** The expression that orders a list. Tasks with equal values are ordered by id. */
function keyOf(sort: Sort): RawBuilder<unknown> {
  const column = sql.ref(orderOf(sort).other?.column ?? nameOf(sort));
  return isText(sort) ? sql`lower(${column})` : column;
}

export function positionOf(sort: Sort, task: Task): Position {
  const { other } = orderOf(sort);
  return [textOrNull(other === undefined ? task[nameOf(sort)] : other.valueOf(task)), task.id];
}

function textOrNull(value: string | number | null): string | null {
  return value === null ? null : String(value);
}

export function positionTypes(sort: Sort): PositionTypes {
  return [orderOf(sort).type, 'id'];
}

/** The condition for tasks after the position of the page; empty without a position. */
export function andAfter(after: Position | undefined, sort: Sort, idColumn = 'id'): RawBuilder<unknown> {
  if (after === undefined) return sql``;
  const [value = null, id = null] = after;
  const follows = sql.raw(isDescending(sort) ? '<' : '>');
  const key = sql.ref(idColumn);
  if (value === null) return sql` and ${keyOf(sort)} is null and ${key} ${follows} ${id}::uuid`;
  const start = isText(sort) ? sql`lower(${value}::text)` : sql`${value}`;
  const followsInOrder = sql`(${keyOf(sort)}, ${key}) ${follows} (${start}, ${id}::uuid)`;
  // Tasks without a value come last in both directions.
  return isNullable(sort)
    ? sql` and (${followsInOrder} or ${keyOf(sort)} is null)`
    : sql` and ${followsInOrder}`;
}
