import { sql, type RawBuilder } from 'kysely';
import { conditionsOf, givenFilters, type TaskQuery } from './filters.ts';

/**
 * A query for the tasks on the page, in its order. Deep in a list their keys are found first, so that those which are
 * skipped are read from an index alone. On the first pages, and without such an index, that costs more than it saves.
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
  // Knowing how many rows at most, Postgres keeps one plan; for a limit it does not know it would plan anew each time.
  const most = sql.lit(2 ** Math.ceil(Math.log2(offset + limit + 1)));
  return sql`select * from (select ${columns} ${matching} limit ${most}) page limit ${limit} offset ${offset}`;
}

const deepOffset = 1000;

/** Whether an index holds the columns of the filters in the order of the list. */
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
