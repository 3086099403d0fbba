import { sql, type Insertable, type RawBuilder } from 'kysely';
import { insertRows } from '../db/insert.ts';
import type { Db, TaskCountRow, TaskRow } from '../db/tables.ts';
import type { Write } from '../db/write.ts';
import type { Call, Schemas } from '../operation.ts';
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

/** The number of tasks by status and by workspace, of each the largest. */
export async function countTasks(
  db: Db,
  userId: string,
  { workspace_id: workspace = '', status = [] }: Call<'countTasks'>['query'],
): Promise<Schemas['TaskCounts']> {
  const statuses = status.filter((text) => text !== '');
  const conditions = [
    sql`user_id = ${userId}`,
    ...(workspace === '' ? [] : [sql`workspace_id = ${workspace}`]),
    ...(statuses.length === 0 ? [] : [sql`status = any(${statuses}::text[])`]),
  ];
  const { rows } = await sql<SummedCounter>`
    select * from (
      select workspace_id, status, sum(count)::int as count,
        row_number() over (partition by grouping(workspace_id, status)
          order by sum(count) desc, workspace_id, status) as place
      from task_counts where ${sql.join(conditions, sql` and `)}
      group by grouping sets ((workspace_id), (status), ())
    ) sums
    where count > 0 and place <= ${countsMax} order by place`.execute(db);
  return {
    count: rows.find((row) => row.workspace_id === null && row.status === null)?.count ?? 0,
    by_status: rows.flatMap(({ status: of, count }) => (of === null ? [] : [{ status: of, count }])),
    by_workspace: rows.flatMap(({ workspace_id: of, count }) =>
      of === null ? [] : [{ workspace_id: of === '' ? null : of, count }],
    ),
  };
}

const countsMax = 1000;

/** The sum over all counters of a workspace or of a status, or over all if both are null. */
interface SummedCounter {
  readonly workspace_id: string | null;
  readonly status: string | null;
  readonly count: number;
}

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
