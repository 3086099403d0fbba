import { sql, type Insertable, type RawBuilder } from 'kysely';
import { insertRows } from '../db/insert.ts';
import type { TaskCountRow, TaskRow } from '../db/tables.ts';
import type { Write } from '../db/write.ts';
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

/** What a change of a task, or its deletion, adds to the counters; nothing if it stays in its counter. */
export function countChange(was: CountedTask, becomes?: CountedTask): Insertable<TaskCountRow>[] {
  const removed = { ...countRow(was), count: -1 };
  if (becomes === undefined) return [removed];
  const added = countRow(becomes);
  if (added.workspace_id === removed.workspace_id && added.status === removed.status) return [];
  // All statements lock counters in this order, so that two of them never deadlock.
  return [removed, added].toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

function keyOf({ workspace_id: workspace, status }: Insertable<TaskCountRow>): string {
  return JSON.stringify([workspace, status]);
}

/** The statement that adds to counters. */
export function changeCounts(rows: readonly Insertable<TaskCountRow>[]): RawBuilder<unknown> {
  return sql`
    ${insertRows('task_counts', rows)}
    on conflict (user_id, workspace_id, status, bucket)
    do update set count = task_counts.count + excluded.count`;
}

/**
 * A write that takes a task out of its counter, after which a counter that is zero is deleted: each row makes every count
 * slower. A statement cannot change a row twice, so another one deletes it. If that fails, the zero stays; in a transaction,
 * which a failed statement ends, everything is repeated.
 */
export function withoutEmptyCounter(write: Write, was: CountedTask): Write {
  const { user_id, workspace_id, status, bucket } = countRow(was);
  const deleteEmpty = sql`
    delete from task_counts
    where user_id = ${user_id} and workspace_id = ${workspace_id} and status = ${status}
      and bucket = ${bucket} and count = 0`;
  return async (db, key) => {
    await write(db, key);
    await deleteEmpty.execute(db).catch(() => undefined);
  };
}
