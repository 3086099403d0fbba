/** The columns, and the SQL of the peers that write SQL: one statement per operation, as in our server. */
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
      insert into tasks (id, user_id, ${written.join(', ')}, due_at, tag_list, created_at, updated_at)
      values ($1, $2, ${written.map((_, i) => `$${i + 3}`).join(', ')}, $14, $15, now(), now())
      returning ${list}
    ), entry as (
      insert into audit_logs (id, task_id, user_id, action, actor_type, actor_id, payload, created_at)
      select $16::uuid, id, user_id, 'create', 'human', user_id, $17::text, created_at from task
    )
    select * from task`,
};

/** Every column of a new task except its timestamps. */
export function newTask(body, userId) {
  const task = { id: v7(), user_id: userId };
  for (const name of written) task[name] = body[name] ?? null;
  task.status ??= 'todo';
  task.priority ??= 'none';
  task.due_at = task.due_date === null ? null : new Date(task.due_date);
  task.tag_list = task.tags === null ? [] : task.tags.split(',');
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

/** The response body for the rows of `statements.list`. */
export function taskList(rows) {
  return { tasks: rows.map(({ count: _, ...task }) => task), count: rows[0]?.count ?? 0 };
}
