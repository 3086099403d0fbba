/** The three operations of all peers, each with one statement as in our server. */
import { hash, randomUUID } from 'node:crypto';
import pg from 'pg';
import { v7 } from 'uuid';

const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: Number(process.env.DATABASE_POOL_SIZE),
});

/** The fields of a request, with their defaults in a new task. */
export const fields = {
  workspace_id: null,
  title: null,
  description: null,
  status: 'todo',
  priority: 'none',
  assignee_id: null,
  assignee_type: null,
  assignee_name: null,
  due_date: null,
  tags: null,
  metadata: null,
};
export const columns = [
  'id',
  'user_id',
  ...Object.keys(fields),
  'completed_at',
  'created_at',
  'updated_at',
  'etag',
];
const names = columns.join(', ');

// The task, its tags in the index, its counter and its audit entry. `valuesOf` has the values.
const create = `task as (
    insert into tasks (${names}, due_at, tag_keys)
    values (${columns.map((_, i) => `$${i + 1}`).join(', ')}, $18, $19) returning id
  ), tagged as (
    insert into task_tags (user_id, tag_key, created_at, task_id)
    select $2, tag_key, $15, $1 from unnest($19::bigint[]) tag_key
  ), counted as (
    insert into task_counts (user_id, workspace_id, status, bucket, count)
    values ($2, coalesce($3, ''), $6, get_byte(uuid_send($1::uuid), 13) % 4, 1)
    on conflict (user_id, workspace_id, status, bucket) do update set count = task_counts.count + 1
  ), entry as (
    insert into audit_logs
      (id, task_id, user_id, action, actor_type, actor_id, payload, created_at, workspace_id, etag)
    values ($20::uuid, $1, $2, 'create', 'human', $2, $21::text, $15, $3, $17)
  )`;

const statements = {
  get: `select ${names} from tasks where id = $1 and user_id = $2`,
  list: `select ${names}, (select coalesce(sum(count), 0)::int from task_counts where user_id = $1) as count
    from tasks where user_id = $1 order by created_at desc, id desc limit $2 offset $3`,
  create: `with ${create} select 1 from task`,
  createOnce: `with ${create}, key as (
      insert into idempotency_keys (user_id, key, request_hash, reply, created_at) values ($2, $22, $23, $24, $15)
    ) select 1 from task`,
  findReply: 'select request_hash, reply from idempotency_keys where user_id = $1 and key = $2',
};

async function run(name, values) {
  const { rows } = await pool.query({ name, text: statements[name], values });
  return rows;
}

/** The response body; undefined if the user has no such task. */
export async function getTask(id, userId) {
  const [task] = await run('get', [id, userId]);
  return task && { task };
}

export async function listTasks({ limit, offset }, userId) {
  const rows = await run('list', [userId, limit, offset]);
  return { tasks: rows.map(({ count: _, ...task }) => task), count: rows[0]?.count ?? 0 };
}

/** Creates a task; with a key, at most once. Resolves to the response body, which is a text if it was stored. */
export async function createTask(body, userId, key) {
  const task = newTask(body, userId);
  if (key === undefined) {
    await run('create', valuesOf(task));
    return { task };
  }
  const requestHash = hash('sha256', JSON.stringify(body), 'base64');
  const reply = JSON.stringify({ task });
  try {
    await run('createOnce', [...valuesOf(task), key, requestHash, reply]);
    return reply;
  } catch (error) {
    if (error.code !== '23505') throw error;
    const [earlier] = await run('findReply', [userId, key]);
    if (earlier?.request_hash !== requestHash) throw new Error('The key was used for another request.');
    return earlier.reply;
  }
}

function newTask(body, userId) {
  const task = { id: v7(), user_id: userId };
  for (const [name, absent] of Object.entries(fields)) task[name] = body[name] ?? absent;
  const at = new Date().toISOString();
  task.completed_at = task.status === 'done' ? at : null;
  return Object.assign(task, { created_at: at, updated_at: at, etag: `"${randomUUID()}"` });
}

function valuesOf(task) {
  const dueAt = task.due_date === null ? null : new Date(task.due_date);
  const tagKeys = (task.tags ?? '').split(',').filter(Boolean).map(tagKey);
  const logged = [...Object.keys(fields), 'completed_at'].filter((name) => task[name] !== null);
  const payload = JSON.stringify(Object.fromEntries(logged.map((name) => [name, task[name]])));
  return [...columns.map((name) => task[name]), dueAt, tagKeys, v7(), payload];
}

/** The key of a tag in the index, as in server/src/tasks/tags.ts. */
function tagKey(tag) {
  return String(hash('sha256', tag.trim(), 'buffer').readBigInt64BE());
}
