import DataLoader from 'dataloader';
import { CompiledQuery, sql } from 'kysely';
import type { Cluster } from '../db/citus.ts';
import type { RowKey } from '../db/rows.ts';
import type { Db } from '../db/tables.ts';
import { Problem } from '../contract/problem.ts';
import { isId } from '../lib/ids.ts';
import type { Request } from '../contract/operation.ts';
import { taskColumns, type Task } from './task.ts';

/** A task, and the number of the next entry in its audit log. */
export interface TaskWithAuditSeq {
  readonly task: Task;
  readonly seq: string | number;
}

const columns = sql.raw(taskColumns.map((name) => `task.${name}`).join(', '));

/** Resolves to the task, if it exists and belongs to the user. */
export type FindTask = (key: RowKey) => Promise<Task | undefined>;

/**
 * Uses one statement to read all tasks that are requested in one iteration of the event loop (performance.md). On Citus,
 * each task has its own statement, because users have their rows on different nodes.
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

/** A request about the task in its path. */
type TaskRequest = Pick<Request<'getTask'>, 'caller' | 'path'>;

/** The key of the task in a path. A malformed id throws `Task not found` without a query. */
export function parseTaskKey({ path: { id }, caller }: TaskRequest): RowKey {
  if (!isId(id)) throw new Problem('Task not found');
  return { id: id.toLowerCase(), userId: caller.id };
}

/** Reads the task and `seq` that a change needs. */
export async function getTaskWithAuditSeq(db: Db, request: TaskRequest): Promise<TaskWithAuditSeq> {
  const { id, userId } = parseTaskKey(request);
  return (await readTasks(db, userId, [id]))(id);
}

/** Reads tasks of the user. Resolves to a function that returns one of them, and throws a Problem for any other id. */
export async function readTasks(
  db: Db,
  userId: string,
  ids: readonly string[],
): Promise<(id: string) => TaskWithAuditSeq> {
  // The inner query also names the user, so that Citus runs the statement on the user's node.
  const { rows } = await sql<Task & { seq: string | number }>`
    select ${columns}, 1 + coalesce((
      select max(seq) from audit_logs where user_id = ${userId} and task_id = task.id
    ), 0) as seq
    from tasks task where task.id = any(${ids}::uuid[]) and task.user_id = ${userId}`.execute(db);
  const tasks = new Map(rows.map(({ seq, ...task }) => [task.id, { task, seq }]));
  const missing = ids.filter((id) => !tasks.has(id));
  const reasonFor = await explainMissing(db, userId, missing);
  return (id) => {
    const task = tasks.get(id.toLowerCase());
    if (task === undefined) throw reasonFor(id.toLowerCase());
    return task;
  };
}

/** Finds out why the user lacks these tasks. Resolves to a function that returns the reason for an id. */
async function explainMissing(
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
