import { sql, type RawBuilder } from 'kysely';
import type { List } from '../db/list.ts';
import type { Position } from '../lib/cursor.ts';
import { columns, type Order, type SortName, type Task } from './columns.ts';
import type { TaskQuery } from './filters.ts';

/** How a list is ordered. Tasks with equal values are ordered by id. */
export interface TaskOrder extends Pick<List<Task>, 'types' | 'positionOf'> {
  /** The column that orders the list. */
  readonly column: string;
  readonly expression: string;
  readonly isDescending: boolean;
  readonly isNullable: boolean;
  readonly isText: boolean;
}

export function orderOf(sort: TaskQuery['sort']): TaskOrder {
  const isDescending = sort.startsWith('-');
  // The cast is safe, because a sort is the name of a column, with a minus before it for descending order.
  const name = (isDescending ? sort.slice(1) : sort) as SortName;
  const { type, other }: Order = columns[name].order;
  const column = other?.column ?? name;
  const isText = type.startsWith('text');
  return {
    column,
    expression: isText ? `lower(${column})` : column,
    isDescending,
    isNullable: type.endsWith(' or null'),
    isText,
    types: [type, 'id'],
    positionOf: (task) => {
      const value = other === undefined ? task[name] : other.valueOf(task);
      return [value === null ? null : String(value), task.id];
    },
  };
}

/** The ORDER BY of a list. It is total, so that pages neither overlap nor leave gaps. Missing values come last. */
export function orderBy(
  { expression, isDescending, isNullable }: TaskOrder,
  nulls = isNullable ? 'nulls last' : '',
): RawBuilder<unknown> {
  const direction = isDescending ? 'desc' : 'asc';
  return sql.raw(`${expression} ${direction} ${nulls}, id ${direction}`);
}

/**
 * The conditions for the tasks after a position, or for all tasks if there is none. Tasks without a value come last in
 * both directions, and have a condition of their own. So Postgres can read the list forwards and backwards from one
 * index, and continue it at a position.
 */
export function partsAfter(
  after: Position | undefined,
  { expression, isDescending, isNullable, isText }: TaskOrder,
  idColumn = 'id',
): readonly RawBuilder<unknown>[] {
  const follows = sql.raw(isDescending ? '<' : '>');
  const [key, id] = [sql.raw(expression), sql.ref(idColumn)];
  const withoutValue = sql` and ${key} is null`;
  if (after === undefined) return isNullable ? [sql` and ${key} is not null`, withoutValue] : [sql``];
  const [value = null, lastId = null] = after;
  if (value === null) return [sql`${withoutValue} and ${id} ${follows} ${lastId}::uuid`];
  const start = isText ? sql`lower(${value}::text)` : sql`${value}`;
  const rest = sql` and (${key}, ${id}) ${follows} (${start}, ${lastId}::uuid)`;
  return isNullable ? [rest, withoutValue] : [rest];
}
