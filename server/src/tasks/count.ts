import { sql, type RawBuilder } from 'kysely';
import { conditionsOf, givenFilters, type FilterName, type TaskQuery } from './filters.ts';

/**
 * A query for the number of all tasks that match: the sum of a few counters where they can tell, however many tasks
 * there are, and otherwise a count. The columns of the counters have the names of those of the tasks.
 */
export function countOf(userId: string, query: TaskQuery): RawBuilder<unknown> {
  const isCounted = givenFilters(query).every((name) => counted.has(name));
  const number = isCounted
    ? sql`select coalesce(sum(count), 0)::int from task_counts`
    : sql`select count(*)::int from tasks`;
  return sql`${number} where ${conditionsOf(userId, query)}`;
}

const counted: ReadonlySet<FilterName> = new Set(['workspace_id', 'status']);
