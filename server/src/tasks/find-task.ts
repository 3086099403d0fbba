import DataLoader from 'dataloader';
import { CompiledQuery, sql } from 'kysely';
import type { Cluster } from '../db/citus.ts';
import type { RowKey } from '../db/rows.ts';
import type { Db } from '../db/tables.ts';
import { Problem } from '../contract/problem.ts';
import { isId } from '../lib/ids.ts';
import type { Caller } from '../contract/operation.ts';
import type { NextEntry } from './audit-log.ts';
import { taskColumns, type Task } from './task.ts';

/** A task, and the position of the next entry in its audit log. */
export interface TaskWithAuditSeq {
  readonly task: Task;
  readonly next: NextEntry;
}

const columns = sql.raw(taskColumns.map((name) => `task.${name}`).join(', '));

/** Resolves to the task, if it exists and belongs to the user. */
export type FindTask = (key: RowKey) => Promise<Task | undefined>;

/**
 * Reads the tasks that are requested in one iteration of the event loop by one statement (performance.md). On Citus,
 * where users have their rows on different nodes, each task has its own statement.
 */
export function createTaskReader({ db, isDistributed }: Cluster): FindTask {
  // The subquery hides the number of keys from the planner, which would otherwise plan each execution. Citus must see
  // the user to choose the node.
  const [users, ids] = isDistributed
    ? ['$1::text[]', '$2::uuid[]']
    : ['(select $1::text[])::text[]', '(select $2::uuid[])::uuid[]'];
  const statement = `select ${taskColumns.join(', ')} from tasks where user_id = any(${users}) and id = any(${ids})`;
  const loader = new DataLoader<RowKey, Task | undefined>(
    async (keys) => {
      const values = [keys.map(({ userId }) => userId), keys.map(({ id }) => id)];
      const { rows } = await db.executeQuery<Task>(CompiledQuery.raw(statement, values));
      return keys.map(({ id, userId }) => rows.find((task) => task.id === id && task.user_id === userId));
    },
    { cache: false, batch: !isDistributed },
  );
  return (key) => loader.load(key);
}

/** The key of the task in a path. A malformed id throws `Task not found` without a query. */
export function parseTaskKey(id: string, caller: Caller): RowKey {
  if (!isId(id)) throw new Problem('Task not found');
  return { id: id.toLowerCase(), userId: caller.id };
}

/** Reads the caller's task before a change is planned. */
export async function getTaskWithAuditSeq(db: Db, key: RowKey): Promise<TaskWithAuditSeq> {
  const [found] = await findTasksWithAuditSeq(db, key.userId, [key.id]);
  return found ?? throwMissing(db, key);
}

/** The user's tasks among these ids, each with the position of its next log entry. */
export async function findTasksWithAuditSeq(
  db: Db,
  userId: string,
  ids: readonly string[],
): Promise<TaskWithAuditSeq[]> {
  // The lateral query also names the user, so that Citus runs the statement on the user's node.
  const { rows } = await sql<Task & NextEntry>`
    select ${columns},
      coalesce(last.seq, 0) + 1 as seq, last.created_at as earliest, last.recorded_us + 1 as earliest_us
    from tasks task left join lateral (
      select seq, created_at, recorded_us from audit_logs
      where user_id = ${userId} and task_id = task.id
      order by seq desc limit 1
    ) last on true
    where task.id = any(${ids}::uuid[]) and task.user_id = ${userId}`.execute(db);
  return rows.map(({ seq, earliest, earliest_us, ...task }) => {
    return { task, next: { seq, earliest, earliest_us } };
  });
}

/** The number of bytes in the descriptions and metadata of tasks. Postgres knows it without reading them. */
export async function findTextBytes(db: Db, userId: string, ids: readonly string[]): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(coalesce(octet_length(description), 0) + coalesce(octet_length(metadata), 0)), 0)::int as bytes
    from tasks where id = any(${ids}::uuid[]) and user_id = ${userId}`.execute(db);
  return rows[0]?.bytes ?? 0;
}

/** Finds out why the user lacks these tasks. Resolves to a function that returns the reason for an id. */
export async function explainMissing(
  db: Db,
  userId: string,
  ids: readonly string[],
): Promise<(id: string) => Problem> {
  if (ids.length === 0) return () => new Problem('Task not found');
  const { rows: foreign } = await sql<{ id: string }>`
    select id from tasks where id = any(${ids}::uuid[]) and user_id <> ${userId}`.execute(db);
  return (id) => new Problem(foreign.some((task) => task.id === id) ? 'Access denied' : 'Task not found');
}

/** Throws the reason why a statement did not find the caller's task. */
export async function throwMissing(db: Db, { id, userId }: RowKey): Promise<never> {
  throw (await explainMissing(db, userId, [id]))(id);
}
