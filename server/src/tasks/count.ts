import { sql, type Insertable, type RawBuilder } from 'kysely';
import { lockKey } from '../db/advisory-lock.ts';
import { insertRows } from '../db/rows.ts';
import type { Db, TaskCountRow } from '../db/tables.ts';
import type { Handler, Schemas } from '../contract/operation.ts';
import { conditionsOf, filterNamesIn, onlyTag, type FilterName, type TaskQuery } from './filters.ts';
import { tasksWithTag } from './tags.ts';

/**
 * A query for the number of matching tasks. It counts rows of `task_tags` if a tag is the only filter, sums counters if
 * they have a column for every filter, and counts tasks otherwise.
 */
export function countOf(userId: string, query: TaskQuery): RawBuilder<unknown> {
  const tag = onlyTag(query);
  if (tag !== undefined) return sql`select count(*)::int ${tasksWithTag(userId, tag)}`;
  const hasCounters = filterNamesIn(query).every((name) => counterColumns.has(name));
  const number = hasCounters
    ? sql`select coalesce(sum(count), 0)::int from task_counts`
    : sql`select count(*)::int from tasks`;
  // The columns of counters have the same names in `tasks`.
  return sql`${number} where ${conditionsOf(userId, query)}`;
}

const counterColumns: ReadonlySet<FilterName> = new Set(['workspace_id', 'status']);

/** Counts tasks by status and by workspace. Each list has the largest numbers first. */
export const countTasks: Handler<'countTasks', { db: Db }> = async ({ caller, query }, { db }) => {
  // A row is the sum of a workspace, of a status, or of all if both are null.
  const { rows } = await sql<{ workspace_id: string | null; status: string | null; count: number }>`
    select * from (
      select workspace_id, status, sum(count)::int as count,
        row_number() over (partition by grouping(workspace_id, status)
          order by sum(count) desc, workspace_id, status) as place
      from task_counts where ${conditionsOf(caller.id, query)}
      group by grouping sets ((workspace_id), (status), ())
    ) sums
    where count > 0 and place <= ${countsMax} order by place`.execute(db);
  const body = {
    count: rows.find((row) => row.workspace_id === null && row.status === null)?.count ?? 0,
    by_status: rows.flatMap(({ status: of, count }) => (of === null ? [] : [{ status: of, count }])),
    by_workspace: rows.flatMap(({ workspace_id: of, count }) =>
      of === null ? [] : [{ workspace_id: of === '' ? null : of, count }],
    ),
  };
  return { status: 200, body };
};

const countsMax = 1000;

/** What a change adds to a counter. */
export type CounterRow = Insertable<TaskCountRow>;

/**
 * What a new task adds to its counter. A counter has four buckets, chosen by the task's id, so that concurrent writers
 * of a user rarely wait for the same row.
 */
export function countRow({ id, user_id, workspace_id, status }: Schemas['Task']): CounterRow {
  const bucket = Number.parseInt(id.slice(-6, -4), 16) % 4;
  return { user_id, workspace_id: workspace_id ?? '', status, bucket, count: 1 };
}

/**
 * Sums the rows of changes, so that each counter occurs once, and leaves out the counters that stay the same. All
 * statements lock counters in the order of the result, which prevents deadlocks.
 */
export function sumCounts(rows: readonly CounterRow[]): CounterRow[] {
  const byCounter = Map.groupBy(rows, ({ user_id, workspace_id, status, bucket }) =>
    JSON.stringify([user_id, workspace_id, status, bucket]),
  );
  return [...byCounter]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, same]) => {
      const count = same.reduce((sum, row) => sum + row.count, 0);
      return count === 0 ? [] : same.slice(0, 1).map((row) => ({ ...row, count }));
    });
}

/** The statement that adds rows to the counters; undefined if all counters stay the same. */
export function changeCounts(rows: readonly CounterRow[]): RawBuilder<unknown> | undefined {
  const sums = sumCounts(rows);
  return sums.length === 0 ? undefined : sql`${insertRows('task_counts', sums)} ${sql.raw(addToCounters)}`;
}

export const addToCounters = `
  on conflict (user_id, workspace_id, status, bucket)
  do update set count = task_counts.count + excluded.count`;

/**
 * Deletes at most `max` counters that are zero, because every row makes counting slower. Resolves to their number. Each
 * counter has its own statement: while a statement for several waited for one counter, writers would wait for the
 * others.
 */
export async function deleteEmptyCounters(db: Db, max: number): Promise<number> {
  const { rows } = await sql<CounterRow>`
    select user_id, workspace_id, status, bucket from task_counts where count = 0 limit ${max}`.execute(db);
  for (const { user_id, workspace_id, status, bucket } of rows)
    await sql`
      delete from task_counts where user_id = ${user_id} and workspace_id = ${workspace_id} and status = ${status}
        and bucket = ${bucket} and count = 0`.execute(db);
  return rows.length;
}

/**
 * Corrects the counters of a user, and resolves to the number of wrong counters. It computes the right numbers at one
 * moment and adds the difference, because concurrent writers add to the counters too. It waits only for writers of the
 * same counter, and readers never see a right number become wrong.
 */
export function recountTasks(db: Db, userId: string): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    // Two concurrent recounts would both add the difference.
    await sql`select pg_advisory_xact_lock(${lockKey('recount', userId)}::bigint)`.execute(transaction);
    // The same bucket as in `countRow`, from byte 13 of the id.
    const { numAffectedRows } = await sql`
      insert into task_counts (user_id, workspace_id, status, bucket, count)
      select ${userId}, workspace_id, status, bucket, sum(tasks) from (
        select coalesce(workspace_id, '') as workspace_id, status, get_byte(uuid_send(id), 13) % 4 as bucket,
          count(*) as tasks
        from tasks where user_id = ${userId} group by 1, 2, 3
        union all
        select workspace_id, status, bucket, -count from task_counts where user_id = ${userId}
      ) counted
      group by workspace_id, status, bucket having sum(tasks) <> 0 ${sql.raw(addToCounters)}`.execute(
      transaction,
    );
    await sql`delete from task_counts where user_id = ${userId} and count = 0`.execute(transaction);
    return Number(numAffectedRows ?? 0);
  });
}
