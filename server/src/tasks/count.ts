import { sql, type RawBuilder } from 'kysely';
import { conditionsOf, givenFilters, type FilterName, type TaskQuery } from './filters.ts';

/**
 * A query for the number of all tasks that match: the sum of a few counters if every filter is a column of the counters,
 * and otherwise `count(*)`. `task_counts` and `tasks` name these columns alike.
 */
export function countOf(userId: string, query: TaskQuery): RawBuilder<unknown> {
  const hasCounters = givenFilters(query).every((name) => counterColumns.has(name));
  const number = hasCounters
    ? sql`select coalesce(sum(count), 0)::int from task_counts`
    : sql`select count(*)::int from tasks`;
  return sql`${number} where ${conditionsOf(userId, query)}`;
}

const counterColumns: ReadonlySet<FilterName> = new Set(['workspace_id', 'status']);
