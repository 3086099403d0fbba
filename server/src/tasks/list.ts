import { sql, type RawBuilder } from 'kysely';
import type { List } from '../db/list.ts';
import { limitPageBytes } from '../db/page-size-limit.ts';
import type { PageRequest } from '../paging.ts';
import { longColumns, taskColumns, type Task } from './columns.ts';
import { countOf } from './count.ts';
import { conditionsOf, givenFilters, onlyTag, type TaskQuery } from './filters.ts';
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
  const ids = idsOnPage(userId, query, page);
  if (ids !== undefined)
    return sql`select * from tasks where user_id = ${userId} and id = any(array(${ids})) ${order}`;
  // A literal limit lets Postgres keep a generic plan. With a parameter, it would plan each execution.
  const rowsMax = sql.lit(2 ** Math.ceil(Math.log2(offset + limit + 1)));
  const condition = sql`${conditionsOf(userId, query)}${andAfter(after, query.sort)}`;
  return sql`
    select * from (select * from tasks where ${condition} ${order} limit ${rowsMax}) page
    limit ${limit} offset ${offset}`;
}

/**
 * A query for the ids of the tasks on the page. It is an index-only scan, which does not read the tasks before the
 * page. Lists by tag use it, and other lists far from their beginning. Undefined where it would be slower: on the first
 * pages, or without an index.
 */
function idsOnPage(
  userId: string,
  query: TaskQuery,
  { limit, offset, after }: PageRequest,
): RawBuilder<unknown> | undefined {
  const { sort } = query;
  if (!sort.endsWith('created_at')) return undefined;
  const page = sql`limit ${limit} offset ${offset}`;
  const tag = onlyTag(query);
  if (tag !== undefined) {
    const direction = sql.raw(sort.startsWith('-') ? 'desc' : 'asc');
    return sql`
      select task_id ${tasksWithTag(userId, tag)}${andAfter(after, sort, 'task_id')}
      order by created_at ${direction}, task_id ${direction} ${page}`;
  }
  if (offset < deepOffset || !indexedFilters.has(givenFilters(query).toSorted().join(' '))) return undefined;
  return sql`select id from tasks where ${conditionsOf(userId, query)} order by ${orderBy(sort)} ${page}`;
}

const deepOffset = 1000;

/** The filters whose columns share an index with the order of the list. */
const indexedFilters: ReadonlySet<string> = new Set(['', 'workspace_id', 'status workspace_id']);
