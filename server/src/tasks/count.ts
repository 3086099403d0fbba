import { sql, type Insertable, type RawBuilder } from 'kysely';
import { insertStatement, sumCounts } from '../db/insert.ts';
import type { TaskCountRow, TaskRow } from '../db/tables.ts';
import type { Statement } from '../db/write.ts';
import { conditionsOf, givenFilters, onlyTag, type FilterName, type TaskQuery } from './filters.ts';
import { tasksWithTag } from './tag-index.ts';

/**
 * A query for the number of all tasks that match: the sum of a few counters if every filter is a column of the counters,
 * the rows of the index in a list by tag, and otherwise `count(*)`.
 */
export function countOf(userId: string, query: TaskQuery): RawBuilder<unknown> {
  const tag = onlyTag(query);
  if (tag !== undefined) return sql`select count(*)::int ${tasksWithTag(userId, tag)}`;
  const hasCounters = givenFilters(query).every((name) => counterColumns.has(name));
  const number = hasCounters
    ? sql`select coalesce(sum(count), 0)::int from task_counts`
    : sql`select count(*)::int from tasks`;
  // `task_counts` and `tasks` name these columns alike.
  return sql`${number} where ${conditionsOf(userId, query)}`;
}

const counterColumns: ReadonlySet<FilterName> = new Set(['workspace_id', 'status']);

type CountedTask = Pick<TaskRow, 'id' | 'user_id' | 'workspace_id' | 'status'>;

/**
 * What a new task adds to the counters. Its id selects one of four buckets, so that concurrent writers of a user rarely
 * wait for the same row.
 */
export function countRow({ id, user_id, workspace_id, status }: CountedTask): Insertable<TaskCountRow> {
  const bucket = Number.parseInt(id.slice(-6, -4), 16) % 4;
  return { user_id, workspace_id: workspace_id ?? '', status, bucket, count: 1 };
}

/**
 * The statements that count a task that has changed, or that is deleted. A counter that becomes zero is deleted, because
 * each row makes every count slower.
 */
export function countChange(was: CountedTask, becomes?: CountedTask): Statement[] {
  const removed = { ...countRow(was), count: -1 };
  const added = becomes === undefined ? [] : [countRow(becomes)];
  if (added.some(({ workspace_id: id, status }) => id === removed.workspace_id && status === removed.status))
    return [];
  const { user_id, workspace_id, status, bucket } = removed;
  return [
    insertStatement('task_counts', sumCounts([removed, ...added])),
    { text: deleteZero, values: [user_id, workspace_id, status, bucket] },
  ];
}

const deleteZero = `
  delete from task_counts
  where user_id = $1 and workspace_id = $2 and status = $3 and bucket = $4 and count = 0`;
