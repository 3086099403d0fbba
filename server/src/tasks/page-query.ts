import { sql, type RawBuilder } from 'kysely';
import { conditionsOf, givenFilters, type TaskQuery } from './filters.ts';

/**
 * A query for the tasks on the page, in its order. Deep in a list it finds the keys of the page first, with an index-only
 * scan of the skipped rows. On the first pages, and without an index for the filters, that is slower.
 */
export function tasksOnPage(
  columns: RawBuilder<unknown>,
  userId: string,
  query: TaskQuery,
): RawBuilder<unknown> {
  const { limit, offset } = query;
  const order = sql`order by ${orders[query.sort]}`;
  const matching = sql`from tasks where ${conditionsOf(userId, query)} ${order}`;
  if (offset >= deepOffset && isIndexed(query)) {
    const ids = sql`array(select id ${matching} limit ${limit} offset ${offset})`;
    return sql`select ${columns} from tasks where user_id = ${userId} and id = any(${ids}) ${order}`;
  }
  // With a literal limit on the rows, Postgres keeps a generic plan; with a parameter it would plan each execution.
  const rowsMax = sql.lit(2 ** Math.ceil(Math.log2(offset + limit + 1)));
  return sql`select * from (select ${columns} ${matching} limit ${rowsMax}) page limit ${limit} offset ${offset}`;
}

const deepOffset = 1000;

/** Whether an index has the columns of the filters and the order of the list. */
function isIndexed(query: TaskQuery): boolean {
  return query.sort.endsWith('created_at') && indexedFilters.has(givenFilters(query).toSorted().join(' '));
}

const indexedFilters: ReadonlySet<string> = new Set(['', 'workspace_id', 'status workspace_id']);

// Each order is total, so that pages neither overlap nor leave gaps.
export const orders: Record<TaskQuery['sort'], RawBuilder<unknown>> = {
  created_at: sql`created_at, id`,
  '-created_at': sql`created_at desc, id desc`,
  updated_at: sql`updated_at, id`,
  '-updated_at': sql`updated_at desc, id desc`,
  due_date: sql`due_at nulls last, id`,
  '-due_date': sql`due_at desc nulls last, id desc`,
  title: sql`lower(title), id`,
  '-title': sql`lower(title) desc, id desc`,
};
