import { sql, type RawBuilder } from 'kysely';
import type { List } from '../db/list.ts';
import { limitPageBytes } from '../db/page-size-limit.ts';
import type { PageRequest } from '../paging.ts';
import { longColumns, taskColumns, type Task } from './columns.ts';
import { countOf } from './count.ts';
import { conditionsOf, filterNamesIn, onlyTag, type TaskQuery } from './filters.ts';
import { andAfter, orderBy, positionOf, positionTypes } from './order.ts';
import { tasksWithTag } from './tag-index.ts';

/** The user's tasks that match a query, and their total number from the same snapshot. */
export function tasksOf(userId: string, query: TaskQuery): List<Task> {
  return {
    types: positionTypes(query.sort),
    positionOf: (task) => positionOf(query.sort, task),
    select: (page) =>
      limitPageBytes({
        entries: tasksOnPage(userId, query, page),
        columns: taskColumns,
        texts: longColumns,
        order: orderBy(query.sort),
        total: countOf(userId, query),
      }),
  };
}

/** A query for the tasks on the page, in its order. */
function tasksOnPage(userId: string, query: TaskQuery, page: PageRequest): RawBuilder<unknown> {
  const { limit, offset, after } = page;
  const order = sql`order by ${orderBy(query.sort)}`;
  if (isFasterByIds(query, page)) {
    const ids = idsOnPage(userId, query, page);
    return sql`select * from tasks where user_id = ${userId} and id = any(array(${ids})) ${order}`;
  }
  // A literal limit lets Postgres keep a generic plan. With a parameter, it would plan each execution.
  const rowsMax = sql.lit(2 ** Math.ceil(Math.log2(offset + limit + 1)));
  const condition = sql`${conditionsOf(userId, query)}${andAfter(after, query.sort)}`;
  return sql`
    select * from (select * from tasks where ${condition} ${order} limit ${rowsMax}) page
    limit ${limit} offset ${offset}`;
}

/**
 * Returns true if it is faster to find the ids on the page first: in lists by tag, and in other lists with an index far
 * from their beginning.
 */
function isFasterByIds(query: TaskQuery, { offset }: PageRequest): boolean {
  if (!query.sort.endsWith('created_at')) return false;
  if (onlyTag(query) !== undefined) return true;
  return offset >= deepOffset && indexedFilters.has(filterNamesIn(query).toSorted().join(' '));
}

const deepOffset = 1000;

/** The filters whose columns share an index with the order of the list. */
const indexedFilters: ReadonlySet<string> = new Set(['', 'workspace_id', 'status workspace_id']);

/**
 * A query for the ids of the tasks on the page. It is an index-only scan, which does not read the tasks before the
 * page.
 */
function idsOnPage(
  userId: string,
  query: TaskQuery,
  { limit, offset, after }: PageRequest,
): RawBuilder<unknown> {
  const { sort } = query;
  const page = sql`limit ${limit} offset ${offset}`;
  const tag = onlyTag(query);
  if (tag !== undefined) {
    const direction = sql.raw(sort.startsWith('-') ? 'desc' : 'asc');
    return sql`
      select task_id ${tasksWithTag(userId, tag)}${andAfter(after, sort, 'task_id')}
      order by created_at ${direction}, task_id ${direction} ${page}`;
  }
  return sql`select id from tasks where ${conditionsOf(userId, query)} order by ${orderBy(sort)} ${page}`;
}
