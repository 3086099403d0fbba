import { sql, type RawBuilder } from 'kysely';
import type { List } from '../db/list.ts';
import type { PageRequest } from '../lib/paging.ts';
import { longColumns, taskColumns, type Task } from './columns.ts';
import { countOf } from './count.ts';
import { conditionsOf, filterNamesIn, onlyTag, type TaskQuery } from './filters.ts';
import { columnOf, orderBy, partsAfter, positionOf, positionTypes } from './order.ts';
import { tasksWithTag } from './tag-index.ts';

/** The user's tasks that match a query, and their total number from the same snapshot. */
export function tasksOf(userId: string, query: TaskQuery): List<Task> {
  return {
    types: positionTypes(query.sort),
    positionOf: (task) => positionOf(query.sort, task),
    queryOf: (page) => {
      const all = sql`tasks where ${conditionsOf(userId, query)}`;
      // A search reads every text, so the page and the total share it.
      const isSearch = (query.q ?? '') !== '';
      return {
        matching: isSearch ? sql`select id, ${sql.raw(columnOf(query.sort))} from ${all}` : undefined,
        entries: tasksOnPage(userId, query, isSearch ? sql`matching where true` : all, page),
        total: isSearch ? sql`select count(*)::int from matching` : countOf(userId, query),
        columns: taskColumns,
        texts: longColumns,
        order: orderBy(query.sort),
      };
    },
  };
}

/** A query for the tasks on the page, in its order. */
function tasksOnPage(
  userId: string,
  query: TaskQuery,
  all: RawBuilder<unknown>,
  page: PageRequest,
): RawBuilder<unknown> {
  if (!isFasterByIds(query, page)) return rowsOnPage('*', all, query, page);
  const tag = isByCreation(query) ? onlyTag(query) : undefined;
  const ids = tag === undefined ? rowsOnPage('id', all, query, page) : idsWithTag(userId, tag, query, page);
  return sql`
    select * from tasks where user_id = ${userId} and id = any(array(${ids})) order by ${orderBy(query.sort)}`;
}

/**
 * Returns true if it is faster to find the ids on the page first. Postgres finds the ids in an index, and reads no
 * tasks that are not on the page. It reads few such tasks anyway at the beginning of a list that has an index.
 */
function isFasterByIds(query: TaskQuery, { offset }: PageRequest): boolean {
  if (offset >= deepOffset) return true;
  const filters = filterNamesIn(query).toSorted().join(' ');
  return filters !== '' && !(isByCreation(query) && creationFilters.has(filters));
}

const deepOffset = 1000;

/** The filters whose columns share an index with the order by creation. */
const creationFilters: ReadonlySet<string> = new Set(['workspace_id', 'status workspace_id', 'priority']);

function isByCreation({ sort }: TaskQuery): boolean {
  return sort.endsWith('created_at');
}

function idsWithTag(
  userId: string,
  tag: string,
  { sort }: TaskQuery,
  { limit, offset, after }: PageRequest,
): RawBuilder<unknown> {
  const direction = sql.raw(sort.startsWith('-') ? 'desc' : 'asc');
  return sql`
    select task_id ${tasksWithTag(userId, tag)}${sql.join(partsAfter(after, sort, 'task_id'))}
    order by created_at ${direction}, task_id ${direction} limit ${limit} offset ${offset}`;
}

/** A query for the tasks on the page, or their ids, from all tasks of the list. */
function rowsOnPage(
  selected: '*' | 'id',
  all: RawBuilder<unknown>,
  { sort }: TaskQuery,
  { limit, offset, after }: PageRequest,
): RawBuilder<unknown> {
  const columns = sql.raw(selected === '*' ? '*' : `id, ${columnOf(sort)}`);
  // A literal limit lets Postgres keep a generic plan. With a parameter, it would plan each execution.
  const rowsMax = sql.lit(2 ** Math.ceil(Math.log2(offset + limit + 1)));
  const parts = partsAfter(after, sort).map(
    (condition) => sql`(
      select ${columns} from ${all}${condition}
      order by ${orderBy(sort, '')} limit ${rowsMax})`,
  );
  return sql`
    select ${sql.raw(selected)} from (${sql.join(parts, sql` union all `)}) page
    order by ${orderBy(sort)} limit ${limit} offset ${offset}`;
}
