import DataLoader from 'dataloader';
import { sql } from 'kysely';
import type { Cluster } from '../db/citus.ts';
import type { RowKey } from '../db/row-key.ts';
import type { Db } from '../db/tables.ts';
import { Problem } from '../contract/problem.ts';
import { isId } from '../lib/ids.ts';
import type { Principal } from '../contract/operation.ts';
import type { NextEntry } from './audit-entry.ts';
import { taskColumns, type Task } from './columns.ts';

/** A task, and the position of the next entry in its audit log. */
export interface LoggedTask {
  readonly task: Task;
  readonly next: NextEntry;
}

const columns = sql.raw(taskColumns.map((name) => `task.${name}`).join(', '));

/** Resolves to the task, if it exists and belongs to the user. */
export type FindTask = (key: RowKey) => Promise<Task | undefined>;

/**
 * Reads the tasks that are requested in one turn of the event loop with one statement (performance.md). Not on Citus,
 * where users have their rows on different nodes.
 */
export function createTaskReader({ db, isDistributed }: Cluster): FindTask {
  if (isDistributed) return (key) => findTask(db, key);
  const loader = new DataLoader<RowKey, Task | undefined>(
    (keys) => (keys.length > 1 ? findTasks(db, keys) : Promise.all(keys.map((key) => findTask(db, key)))),
    { cache: false },
  );
  return (key) => loader.load(key);
}

async function findTask(db: Db, { id, userId }: RowKey): Promise<Task | undefined> {
  const { rows } = await sql<Task>`
    select ${columns} from tasks task where task.id = ${id} and task.user_id = ${userId}`.execute(db);
  return rows[0];
}

async function findTasks(db: Db, keys: readonly RowKey[]): Promise<(Task | undefined)[]> {
  const ids = keys.map(({ id }) => id);
  const users = keys.map(({ userId }) => userId);
  // The subqueries hide the number of keys from the planner, which would otherwise plan each execution.
  const { rows } = await sql<Task>`
    select ${columns} from unnest((select ${users}::text[]), (select ${ids}::uuid[])) as key (user_id, id)
    join tasks task on task.user_id = key.user_id and task.id = key.id`.execute(db);
  return keys.map((key) => rows.find(({ id, user_id }) => id === key.id && user_id === key.userId));
}

/** The key of the task in a path. A malformed id throws `Task not found` without a query. */
export function parseTaskKey(id: string, caller: Principal): RowKey {
  if (!isId(id)) throw new Problem('Task not found');
  return { id: id.toLowerCase(), userId: caller.id };
}

/** Reads the caller's task before a change is planned. */
export async function getLoggedTask(db: Db, key: RowKey): Promise<LoggedTask> {
  const [logged] = await findLoggedTasks(db, key.userId, [key.id]);
  return logged ?? throwNotFoundOrForbidden(db, key);
}

/** The user's tasks among these ids, each with the position of its next log entry. */
export async function findLoggedTasks(db: Db, userId: string, ids: readonly string[]): Promise<LoggedTask[]> {
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

/** Throws if the task does not exist or belongs to another user. */
export async function requireTask(db: Db, { id, userId }: RowKey): Promise<void> {
  const { rows } = await sql<{ user_id: string }>`select user_id from tasks where id = ${id}`.execute(db);
  const owner = rows[0]?.user_id;
  if (owner !== userId) throw new Problem(owner === undefined ? 'Task not found' : 'Access denied');
}

/**
 * Throws the reason why a statement did not find the caller's task. If the task has been created since, it still counts
 * as not found.
 */
export async function throwNotFoundOrForbidden(db: Db, key: RowKey): Promise<never> {
  await requireTask(db, key);
  throw new Problem('Task not found');
}

/** The ids among these that belong to tasks of any user. */
export async function findExisting(db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`select id from tasks where id = any(${ids}::uuid[])`.execute(db);
  return new Set(rows.map(({ id }) => id));
}
