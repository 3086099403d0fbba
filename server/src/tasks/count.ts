import { sql, type Insertable, type RawBuilder } from 'kysely';
import { insertRows } from '../db/insert.ts';
import type { Db, TaskCountRow, TaskRow } from '../db/tables.ts';
import type { Call, Schemas } from '../contract/operation.ts';
import { conditionsOf, filterNamesIn, onlyTag, type FilterName, type TaskQuery } from './filters.ts';
import { tasksWithTag } from './tag-index.ts';

/**
 * A query for the number of matching tasks. It sums counters if they have a column for every filter, counts rows of the
 * index for a list by tag, and counts tasks otherwise.
 */
export function countOf(userId: string, query: TaskQuery): RawBuilder<unknown> {
  const tag = onlyTag(query);
  if (tag !== undefined) return sql`select count(*)::int ${tasksWithTag(userId, tag)}`;
  const hasCounters = filterNamesIn(query).every((name) => counterColumns.has(name));
  const number = hasCounters
    ? sql`select coalesce(sum(count), 0)::int from task_counts`
    : sql`select count(*)::int from tasks`;
  // These columns have the same names in `task_counts` and `tasks`.
  return sql`${number} where ${conditionsOf(userId, query)}`;
}

const counterColumns: ReadonlySet<FilterName> = new Set(['workspace_id', 'status']);

/**
 * Counts tasks by status and by workspace. Each list has the largest numbers first, and at most `countsMax` entries.
 */
export async function countTasks(
  db: Db,
  userId: string,
  query: Call<'countTasks'>['query'],
): Promise<Schemas['TaskCounts']> {
  const { rows } = await sql<SummedCounter>`
    select * from (
      select workspace_id, status, sum(count)::int as count,
        row_number() over (partition by grouping(workspace_id, status)
          order by sum(count) desc, workspace_id, status) as place
      from task_counts where ${conditionsOf(userId, query)}
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

/** A sum of counters: of a workspace, of a status, or of all if both are null. */
interface SummedCounter {
  readonly workspace_id: string | null;
  readonly status: string | null;
  readonly count: number;
}

/** What a change adds to a counter. */
export type CounterRow = Insertable<TaskCountRow>;

type CountedTask = Pick<TaskRow, 'id' | 'user_id' | 'workspace_id' | 'status'>;

/**
 * Adds a new task to its counter. A counter has four buckets, chosen by the task's id, so that concurrent writers of a
 * user rarely wait for the same row.
 */
export function countRow({ id, user_id, workspace_id, status }: CountedTask): CounterRow {
  const bucket = Number.parseInt(id.slice(-6, -4), 16) % 4;
  return { user_id, workspace_id: workspace_id ?? '', status, bucket, count: 1 };
}

/** What a change or deletion of a task adds to counters; nothing if the task stays in the same counter. */
export function countChange(was: CountedTask, becomes?: CountedTask): CounterRow[] {
  const removed = { ...countRow(was), count: -1 };
  if (becomes === undefined) return [removed];
  const added = countRow(becomes);
  if (added.workspace_id === removed.workspace_id && added.status === removed.status) return [];
  return [removed, added];
}

/** Adds to counters. Each counter must occur once. */
export function changeCounts(rows: readonly CounterRow[]): RawBuilder<unknown> {
  return sql`${insertRows('task_counts', inLockOrder(rows))} ${sql.raw(addToCounters)}`;
}

/** All statements lock counters in this order, which prevents deadlocks. */
export function inLockOrder(rows: readonly CounterRow[]): CounterRow[] {
  return rows.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

export const addToCounters = `
  on conflict (user_id, workspace_id, status, bucket)
  do update set count = task_counts.count + excluded.count`;

/** Sums the rows of several changes, so that each counter occurs once. */
export function sumCounts(rows: readonly CounterRow[]): CounterRow[] {
  const sums = Map.groupBy(rows, keyOf).values();
  return [...sums]
    .flatMap((same) => {
      const count = same.reduce((sum, row) => sum + row.count, 0);
      return same.slice(0, 1).map((row) => ({ ...row, count }));
    })
    .filter(({ count }) => count !== 0);
}

function keyOf({ user_id: user, workspace_id: workspace, status, bucket }: CounterRow): string {
  return JSON.stringify([user, workspace, status, bucket]);
}

/** Deletes the counters that are zero, because every row makes counting slower. */
export function deleteEmptyCounters(rows: readonly CounterRow[]): RawBuilder<unknown> {
  const [{ user_id } = { user_id: '' }] = rows;
  const keys = rows.map(({ workspace_id, status, bucket }) => sql`(${workspace_id}, ${status}, ${bucket})`);
  return sql`
    delete from task_counts
    where user_id = ${user_id} and (workspace_id, status, bucket) in (${sql.join(keys)}) and count = 0`;
}
