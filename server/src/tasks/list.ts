import { sql, type RawBuilder } from 'kysely';
import type { List, PageRequest } from '../db/list.ts';
import type { TaskRow } from '../db/tables.ts';
import type { Position, PositionTypes } from '../lib/cursor.ts';
import { countOf } from './count.ts';
import { conditionsOf, filterNamesIn, onlyTag, type TaskQuery } from './filters.ts';
import { tasksWithTag } from './tags.ts';
import { longColumns, rankOf, taskColumns, type Task } from './task.ts';

/** The user's tasks that match a query, and their total number from the same snapshot. */
export function tasksOf(userId: string, query: TaskQuery): List<Task> {
  const order = orderOf(query.sort);
  return {
    types: order.types,
    positionOf: order.positionOf,
    queryOf: (page) => {
      const all = sql`tasks where ${conditionsOf(userId, query)}`;
      // The page and the total share one search, because a search reads every text.
      const isSearch = (query.q ?? '') !== '';
      const matching = isSearch ? sql`select id, ${sql.raw(order.column)} from ${all}` : undefined;
      // The index of tags has the order by creation.
      const tag = order.column === 'created_at' ? onlyTag(query) : undefined;
      const found = isSearch ? sql`matching where true` : all;
      const from =
        tag === undefined
          ? found
          : sql`(select task_id as id, created_at ${tasksWithTag(userId, tag)}) tagged where true`;
      return {
        matching,
        entries: isFasterByIds(query, order, page)
          ? sql`
            select * from tasks where user_id = ${userId} and id = any(array(${rowsOnPage('id', from, order, page)}))
            order by ${orderBy(order)}`
          : rowsOnPage('*', from, order, page),
        total: isSearch ? sql`select count(*)::int from matching` : countOf(userId, query),
        columns: taskColumns,
        texts: longColumns,
        order: orderBy(order),
      };
    },
  };
}

/**
 * Returns true if it is faster to find the ids on the page first. Postgres then finds the ids in an index, and reads
 * only the tasks on the page. This is not faster at the beginning of a list with an index of its own.
 */
function isFasterByIds(query: TaskQuery, { column }: TaskOrder, { offset }: PageRequest): boolean {
  if (offset >= deepOffset) return true;
  const filters = filterNamesIn(query).toSorted().join(' ');
  return filters !== '' && !(column === 'created_at' && creationFilters.has(filters));
}

const deepOffset = 1000;

/** Combinations of filters whose columns share an index with the order by creation. */
const creationFilters: ReadonlySet<string> = new Set(['workspace_id', 'status workspace_id', 'priority']);

/** A query that selects the tasks on the page, or their ids, from all tasks in the list. */
function rowsOnPage(
  selected: '*' | 'id',
  all: RawBuilder<unknown>,
  order: TaskOrder,
  { limit, offset, after }: PageRequest,
): RawBuilder<unknown> {
  const selectedColumns = sql.raw(selected === '*' ? '*' : `id, ${order.column}`);
  // A literal limit: with a parameter, Postgres would plan each execution. A power of two, to have few statements.
  const rowsMax = sql.lit(2 ** Math.ceil(Math.log2(offset + limit + 1)));
  const parts = partsAfter(after, order).map(
    (condition) => sql`(
      select ${selectedColumns} from ${all}${condition}
      order by ${orderBy(order, '')} limit ${rowsMax})`,
  );
  return sql`
    select ${sql.raw(selected)} from (${sql.join(parts, sql` union all `)}) page
    order by ${orderBy(order)} limit ${limit} offset ${offset}`;
}

type SortName<Sort extends string = TaskQuery['sort']> = Sort extends `-${infer Name}` ? Name : Sort;

/** The columns that order lists. A nullable column needs a type that ends with `or null`. */
const sortColumns: Readonly<
  Record<SortName, { column: Exclude<keyof TaskRow, 'tag_keys'>; type: PositionTypes[number] }>
> = {
  created_at: { column: 'created_at', type: 'timestamp' },
  updated_at: { column: 'updated_at', type: 'timestamp' },
  due_date: { column: 'due_at', type: 'timestamp or null' },
  priority: { column: 'priority_rank', type: 'integer' },
  completed_at: { column: 'completed_at', type: 'timestamp or null' },
  // A position has the title unchanged: its lower case depends on the collation, so only Postgres can compute it.
  title: { column: 'title', type: 'text' },
};

/** How a list is ordered. Tasks with equal values are ordered by id. */
function orderOf(sort: TaskQuery['sort']) {
  const isDescending = sort.startsWith('-');
  // The cast is safe, because a sort is such a name, with a minus before it for descending order.
  const { column, type } = sortColumns[sort.replace('-', '') as SortName];
  const isText = type.startsWith('text');
  return {
    /** The column that orders the list. */
    column,
    expression: isText ? `lower(${column})` : column,
    isDescending,
    isNullable: type.endsWith(' or null'),
    isText,
    types: [type, 'id'] as const,
    positionOf: (task: Task): Position => {
      const value = { ...task, ...rankOf(task) }[column];
      return [value === null ? null : String(value), task.id];
    },
  };
}

type TaskOrder = ReturnType<typeof orderOf>;

/** The ORDER BY of a list. It is total, so that pages neither overlap nor leave gaps. Missing values come last. */
function orderBy(
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
function partsAfter(
  after: Position | undefined,
  { expression, isDescending, isNullable, isText }: TaskOrder,
): readonly RawBuilder<unknown>[] {
  const follows = sql.raw(isDescending ? '<' : '>');
  const key = sql.raw(expression);
  const withoutValue = sql` and ${key} is null`;
  if (after === undefined) return isNullable ? [sql` and ${key} is not null`, withoutValue] : [sql``];
  const [value = null, lastId = null] = after;
  if (value === null) return [sql`${withoutValue} and id ${follows} ${lastId}::uuid`];
  const start = isText ? sql`lower(${value}::text)` : sql`${value}`;
  const rest = sql` and (${key}, id) ${follows} (${start}, ${lastId}::uuid)`;
  return isNullable ? [rest, withoutValue] : [rest];
}
