import { sql, type RawBuilder } from 'kysely';
import type { Position, PositionTypes } from '../lib/cursor.ts';
import { columns, type Order, type SortName, type Task } from './columns.ts';
import type { TaskQuery } from './filters.ts';

type Sort = TaskQuery['sort'];

/** The ORDER BY of a list. It is total, so that pages neither overlap nor leave gaps. Missing values come last. */
export function orderBy(sort: Sort, nulls = isNullable(sort) ? 'nulls last' : ''): RawBuilder<unknown> {
  const direction = isDescending(sort) ? 'desc' : 'asc';
  return sql.raw(`${keyOf(sort)} ${direction} ${nulls}, id ${direction}`);
}

function isDescending(sort: Sort): boolean {
  return sort.startsWith('-');
}

function nameOf(sort: Sort): SortName {
  // A sort is the name of a column, with a minus before it for descending order.
  return (isDescending(sort) ? sort.slice(1) : sort) as SortName;
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
function keyOf(sort: Sort): string {
  return isText(sort) ? `lower(${columnOf(sort)})` : columnOf(sort);
}

export function columnOf(sort: Sort): string {
  return orderOf(sort).other?.column ?? nameOf(sort);
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

/**
 * The conditions for the tasks after the position of the page, or for all tasks without a position. Tasks without a
 * value come last in both directions, and have a condition of their own. So Postgres can read the list forwards and
 * backwards from one index, and continue it at a position.
 */
export function partsAfter(
  after: Position | undefined,
  sort: Sort,
  idColumn = 'id',
): readonly RawBuilder<unknown>[] {
  const follows = sql.raw(isDescending(sort) ? '<' : '>');
  const [key, id] = [sql.raw(keyOf(sort)), sql.ref(idColumn)];
  const withoutValue = sql` and ${key} is null`;
  if (after === undefined) return isNullable(sort) ? [sql` and ${key} is not null`, withoutValue] : [sql``];
  const [value = null, lastId = null] = after;
  if (value === null) return [sql`${withoutValue} and ${id} ${follows} ${lastId}::uuid`];
  const start = isText(sort) ? sql`lower(${value}::text)` : sql`${value}`;
  const rest = sql` and (${key}, ${id}) ${follows} (${start}, ${lastId}::uuid)`;
  return isNullable(sort) ? [rest, withoutValue] : [rest];
}
