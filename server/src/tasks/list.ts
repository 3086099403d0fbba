import { sql, type RawBuilder } from 'kysely';
import type { List } from '../db/list.ts';
import type { PageRequest } from '../lib/paging.ts';
import { longColumns, taskColumns, type Task } from './columns.ts';
import { countOf } from './count.ts';
import { conditionsOf, filterNamesIn, onlyTag, type TaskQuery } from './filters.ts';
import { orderBy, orderOf, partsAfter, type TaskOrder } from './order.ts';
import { tasksWithTag } from './tag-index.ts';

/** The user's tasks that match a query, and their total number from the same snapshot. */
export function tasksOf(userId: string, query: TaskQuery): List<Task> {
  const order = orderOf(query.sort);
  return {
    types: order.types,
    positionOf: order.positionOf,
    queryOf: (page) => {
      const all = sql`tasks where ${conditionsOf(userId, query)}`;
      // The page and the total share one search, because it reads every text.
      const isSearch = (query.q ?? '') !== '';
      const matching = isSearch ? sql`select id, ${sql.raw(order.column)} from ${all}` : undefined;
      const from = isSearch ? sql`matching where true` : all;
      const isByCreation = order.column === 'created_at';
      const tag = isByCreation ? onlyTag(query) : undefined;
      const idsOnPage = (): RawBuilder<unknown> =>
        tag === undefined ? rowsOnPage('id', from, order, page) : idsWithTag(userId, tag, order, page);
      return {
        matching,
        entries: isFasterByIds(query, isByCreation, page)
          ? sql`
            select * from tasks where user_id = ${userId} and id = any(array(${idsOnPage()}))
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
 * only the tasks on the page. At the beginning of a list that has an index, it reads few other tasks anyway.
 */
function isFasterByIds(query: TaskQuery, isByCreation: boolean, { offset }: PageRequest): boolean {
  if (offset >= deepOffset) return true;
  const filters = filterNamesIn(query).toSorted().join(' ');
  return filters !== '' && !(isByCreation && creationFilters.has(filters));
}

const deepOffset = 1000;

/** Combinations of filters whose columns share an index with the order by creation. */
const creationFilters: ReadonlySet<string> = new Set(['workspace_id', 'status workspace_id', 'priority']);

function idsWithTag(
  userId: string,
  tag: string,
  order: TaskOrder,
  { limit, offset, after }: PageRequest,
): RawBuilder<unknown> {
  const direction = sql.raw(order.isDescending ? 'desc' : 'asc');
  return sql`
    select task_id ${tasksWithTag(userId, tag)}${sql.join(partsAfter(after, order, 'task_id'))}
    order by created_at ${direction}, task_id ${direction} limit ${limit} offset ${offset}`;
}

/** A query that selects the tasks on the page, or their ids, from all tasks in the list. */
function rowsOnPage(
  selected: '*' | 'id',
  all: RawBuilder<unknown>,
  order: TaskOrder,
  { limit, offset, after }: PageRequest,
): RawBuilder<unknown> {
  const columns = sql.raw(selected === '*' ? '*' : `id, ${order.column}`);
  // A literal limit: with a parameter, Postgres would plan each execution. A power of two, to have few statements.
  const rowsMax = sql.lit(2 ** Math.ceil(Math.log2(offset + limit + 1)));
  const parts = partsAfter(after, order).map(
    (condition) => sql`(
      select ${columns} from ${all}${condition}
      order by ${orderBy(order, '')} limit ${rowsMax})`,
  );
  return sql`
    select ${sql.raw(selected)} from (${sql.join(parts, sql` union all `)}) page
    order by ${orderBy(order)} limit ${limit} offset ${offset}`;
}
