/** The columns, and the SQL of the peers that write SQL: one statement per operation, as in our server. */
import { hash, randomUUID } from 'node:crypto';
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

// The task, its index of tags, its counter and its audit entry. $1 to $19 are the values of `createValues`.
const create = `task as (
    insert into tasks (id, user_id, ${written.join(', ')}, due_at, tag_keys, etag, created_at, updated_at)
    values ($1, $2, ${written.map((_, i) => `$${i + 3}`).join(', ')}, $14, $15, $16, $17::timestamptz, $17)
    returning ${list}
  ), tagged as (
    insert into task_tags (user_id, tag_key, created_at, task_id)
    select $2, tag_key, $17, $1 from unnest($15::bigint[]) tag_key
  ), counted as (
    insert into task_counts (user_id, workspace_id, status, bucket, count)
    values ($2, coalesce($3, ''), $6, get_byte(uuid_send($1::uuid), 13) % 4, 1)
    on conflict (user_id, workspace_id, status, bucket) do update set count = task_counts.count + 1
  ), entry as (
    insert into audit_logs (id, task_id, user_id, action, actor_type, actor_id, payload, created_at)
    values ($18::uuid, $1, $2, 'create', 'human', $2, $19::text, $17)
  )`;

export const statements = {
  get: `select ${list} from tasks where id = $1 and user_id = $2`,
  list: `select ${list}, (select coalesce(sum(count), 0)::int from task_counts where user_id = $1) as count
    from tasks where user_id = $1 order by created_at desc, id desc limit $2 offset $3`,
  create: `with ${create} select * from task`,
  createOnce: `with key as (
      insert into idempotency_keys (user_id, key, request_hash, reply, created_at) values ($2, $20, $21, $22, $17)
    ), ${create} select from task`,
  findReply: 'select request_hash, reply from idempotency_keys where user_id = $1 and key = $2',
};

/** Every column of a new task except its timestamps. */
export function newTask(body, userId) {
  const task = { id: v7(), user_id: userId };
  for (const name of written) task[name] = body[name] ?? null;
  task.status ??= 'todo';
  task.priority ??= 'none';
  task.due_at = task.due_date === null ? null : new Date(task.due_date);
  task.tag_keys = (task.tags ?? '').split(',').filter(Boolean).map(tagKey);
  task.etag = randomUUID();
  return task;
}

/** The key of a tag in the index, as in server/src/tasks/tag-index.ts. */
function tagKey(tag) {
  return String(hash('sha256', tag.trim(), 'buffer').readBigInt64BE());
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
  return valuesOf(newTask(body, userId), body, new Date().toISOString());
}

function valuesOf(task, body, at) {
  const entry = newEntry(body, task);
  return [...Object.values(task), at, entry.id, entry.payload];
}

/** Creates a task once under a key, and returns the response body as text. */
export async function createOnce(run, key, body, userId) {
  const requestHash = hash('sha256', JSON.stringify(body), 'base64');
  const task = newTask(body, userId);
  const at = new Date().toISOString();
  const { due_at, tag_keys, etag, ...columns } = task;
  const reply = JSON.stringify({ task: { ...columns, created_at: at, updated_at: at } });
  try {
    await run('createOnce', [...valuesOf(task, body, at), key, requestHash, reply]);
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
