/** The columns, and the SQL of the peers that write SQL: one statement per operation, as in our server. */
import { createHash } from 'node:crypto';
import { v7 } from 'uuid';

export const written = [
  'workspace_id',
  'title',
  'description',
  'status',
  'priority',
  'assignee_id',
  'assignee_type',
  'assignee_name',
  'due_date',
  'tags',
  'metadata',
];
export const columns = ['id', 'user_id', ...written, 'created_at', 'updated_at'];
const list = columns.join(', ');

export const statements = {
  get: `select ${list} from tasks where id = $1 and user_id = $2`,
  list: `select ${list}, (select count(*)::int from tasks where user_id = $1) as count from tasks
    where user_id = $1 order by created_at desc, id desc limit $2 offset $3`,
  create: `with task as (
      insert into tasks (id, user_id, ${written.join(', ')}, due_at, created_at, updated_at)
      values ($1, $2, ${written.map((_, i) => `$${i + 3}`).join(', ')}, $14, now(), now())
      returning ${list}
    ), entry as (
      insert into audit_logs (id, task_id, user_id, action, actor_type, actor_id, payload, created_at)
      select $15::uuid, id, user_id, 'create', 'human', user_id, $16::text, created_at from task
    )
    select * from task`,
  createOnce: `with key as (
      insert into idempotency_keys (user_id, key, request_hash, reply, created_at)
      values ($2, $18, $19, $20, $15)
    ), task as (
      insert into tasks (id, user_id, ${written.join(', ')}, due_at, created_at, updated_at)
      values ($1, $2, ${written.map((_, i) => `$${i + 3}`).join(', ')}, $14, $15::timestamptz, $15)
    )
    insert into audit_logs (id, task_id, user_id, action, actor_type, actor_id, payload, created_at)
    values ($16::uuid, $1, $2, 'create', 'human', $2, $17::text, $15)`,
  findReply: 'select request_hash, reply from idempotency_keys where user_id = $1 and key = $2',
};

/** Every column of a new task except its timestamps. */
export function newTask(body, userId) {
  const task = { id: v7(), user_id: userId };
  for (const name of written) task[name] = body[name] ?? null;
  task.status ??= 'todo';
  task.priority ??= 'none';
  task.due_at = task.due_date === null ? null : new Date(task.due_date);
  return task;
}

/** The audit log entry of a new task. */
export function newEntry(body, task) {
  return {
    id: v7(),
    task_id: task.id,
    user_id: task.user_id,
    action: 'create',
    actor_type: 'human',
    actor_id: task.user_id,
    payload: JSON.stringify(body),
  };
}

/** The values of `statements.create`. */
export function createValues(body, userId) {
  const task = newTask(body, userId);
  const entry = newEntry(body, task);
  return [...Object.values(task), entry.id, entry.payload];
}

/** Creates a task once under a key, and returns the response body as text. */
export async function createOnce(run, key, body, userId) {
  const requestHash = createHash('sha256').update(JSON.stringify(body)).digest('base64');
  const task = newTask(body, userId);
  const entry = newEntry(body, task);
  const at = new Date().toISOString();
  const { due_at, ...columns } = task;
  const reply = JSON.stringify({ task: { ...columns, created_at: at, updated_at: at } });
  const values = [...Object.values(task), at, entry.id, entry.payload, key, requestHash, reply];
  try {
    await run('createOnce', values);
    return reply;
  } catch (error) {
    if (error.code !== '23505') throw error;
    const { rows } = await run('findReply', [userId, key]);
    if (rows[0]?.request_hash !== requestHash) throw new Error('The key was used for another request.');
    return rows[0].reply;
  }
}

/** The response body for the rows of `statements.list`. */
export function taskList(rows) {
  return { tasks: rows.map(({ count: _, ...task }) => task), count: rows[0]?.count ?? 0 };
}
