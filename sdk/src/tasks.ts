import { createChanges, type TaskChanges } from './changes.ts';
import * as operations from './generated/operations.ts';
import type { ConditionalOptions, IdempotentOptions, RequestOptions } from './options.ts';
import { paginate, type Paginator } from './paginator.ts';
import type {
  AuditLogEntry,
  AuditLogQuery,
  BatchResults,
  Comment,
  CommentCreate,
  CommentQuery,
  DeletedComment,
  DeletedTask,
  Task,
  TaskAssignment,
  TaskBatch,
  TaskCountQuery,
  TaskCounts,
  TaskCreate,
  TaskQuery,
  TaskUpdate,
} from './resources.ts';
import type { Result } from './response.ts';
import type { Transport } from './transport.ts';

/** Operations on the caller's tasks, their comments and their audit logs. */
export interface Tasks extends TaskChanges {
  /**
   * Create a task. Creates a task that belongs to the caller. An empty optional field counts as absent. If the operator
   * limits the tasks of a user, a task above the limit is 400 with the error code `too_many`.
   *
   * @example
   * const task = await client.tasks.create({ title: 'Buy milk', due_date: '2026-12-01' });
   */
  create(task: TaskCreate, options?: IdempotentOptions): Result<Task>;
  /**
   * Count tasks. The number of the caller's tasks, by status and by workspace. The numbers are exact, although they
   * come from counters. Both filters must match.
   *
   * @example
   * const { count, by_status } = await client.tasks.count({ workspace_id: 'home' });
   * console.log(count, by_status[0]?.status);
   */
  count(query?: TaskCountQuery, options?: RequestOptions): Result<TaskCounts>;
  /**
   * Change many tasks. Creates, updates and deletes up to 100 tasks at once. Each operation has its own result, in the
   * order of the request. A refused operation changes nothing; the others take effect together. A body is 400 if it is
   * invalid, names a task twice, has more than 1000 tags in all its tasks, or would raise the number of the caller's
   * tasks above the operator's limit. It is 413 if the descriptions and metadata in the request, and those of the
   * stored tasks that it names, exceed 1 MiB together.
   *
   * @example
   * const blocked = await client.tasks.list({ status: 'blocked' }).toArray({ limit: 100 });
   * const { update } = await client.tasks.batch({
   *   update: blocked.map(({ id, etag }) => ({ id, if_match: etag, status: 'todo' })),
   * });
   * console.log(update.filter(({ error }) => error === null).length);
   */
  batch(operations: TaskBatch, options?: IdempotentOptions): Result<BatchResults>;
  /**
   * Get a task. One task of the caller, with its `ETag`.
   *
   * @example
   * const task = await client.tasks.get('019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57');
   * console.log(task.title, task.etag);
   */
  get(id: string, options?: RequestOptions): Result<Task>;
  /**
   * Get a task if it has changed. The result is undefined if the `ETag` of the task is still `etag`.
   *
   * @example
   * const task = await client.tasks.getIfChanged('019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57', '"rPh3vQd0aX7k"');
   * console.log(task === undefined ? 'unchanged' : task.title);
   */
  getIfChanged(id: string, etag: string, options?: RequestOptions): Result<Task | undefined>;
  /**
   * Update a task. Merges the given fields into the task: an absent field keeps its value, null clears it (`status` and
   * `priority` return to their defaults). `id`, `user_id`, `etag` and the timestamps are ignored, so a fetched
   * task can be sent back. A body without a usable field is 400 `No fields to update`. An update that changes nothing
   * keeps `updated_at` and writes no audit entry.
   *
   * @example
   * await client.tasks.update('019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57', { status: 'done', due_date: null });
   */
  update(id: string, changes: TaskUpdate, options?: ConditionalOptions): Result<Task>;
  /**
   * Delete a task. Deletes the task and its comments. Its owner can still read its audit log, with its last state, for
   * as long as the server keeps the log.
   *
   * @example
   * await client.tasks.delete('019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57');
   */
  delete(id: string, options?: ConditionalOptions): Result<DeletedTask>;
  /**
   * Assign a task. Sets the assignee fields in the body, which must have at least one. An empty or null `assignee_id`
   * clears all three. Any other `assignee_id` sets all three. The type then defaults to `human`. The name defaults to
   * null or, with the type `agent`, to the name of the caller's agent with this id. Assigning never starts an agent and
   * gives the assignee no rights.
   *
   * @example
   * await client.tasks.assign('019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57', { assignee_id: 'bob', assignee_name: 'Bob' });
   */
  assign(id: string, assignee: TaskAssignment, options?: ConditionalOptions): Result<Task>;
  /**
   * List tasks. The caller's tasks, newest first unless `sort` says otherwise. All filters must match; `count` is the
   * number of all matches, whatever `limit` and `offset` are; `limit=0` returns it alone.
   *
   * @example
   * for await (const task of client.tasks.list({ status: ['todo', 'blocked'], sort: 'due_date' })) {
   *   console.log(task.title);
   * }
   */
  list(query?: TaskQuery, options?: RequestOptions): Paginator<Task>;
  /**
   * List comments of a task. The comments of the task, oldest first.
   *
   * @example
   * const comments = await client.tasks.listComments('019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57').toArray({ limit: 50 });
   */
  listComments(id: string, query?: CommentQuery, options?: RequestOptions): Paginator<Comment>;
  /**
   * List audit entries of a task. Every change of the task, oldest first. Replaying the changes reproduces the task.
   * The owner can also read the log of a deleted task, for as long as the server keeps it. After that, only the entry
   * of the deletion is left.
   *
   * @example
   * for await (const entry of client.tasks.listAuditLogs('019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57')) {
   *   console.log(entry.created_at, entry.action, entry.payload);
   * }
   */
  listAuditLogs(id: string, query?: AuditLogQuery, options?: RequestOptions): Paginator<AuditLogEntry>;
  /**
   * Add a comment. Adds a comment by the caller.
   *
   * @example
   * await client.tasks.createComment('019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57', { body: 'Oat milk, please.' });
   */
  createComment(id: string, comment: CommentCreate, options?: IdempotentOptions): Result<Comment>;
  /**
   * Change a comment. Replaces the text of a comment. Only its author can do this. The audit log keeps the earlier
   * text. An update that changes nothing keeps `updated_at` and writes no audit entry.
   *
   * @example
   * const [comment] = await client.tasks.listComments('019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57').toArray({ limit: 1 });
   * if (comment) await client.tasks.updateComment(comment.task_id, comment.id, { body: 'Soy milk, please.' });
   */
  updateComment(
    id: string,
    commentId: string,
    comment: CommentCreate,
    options?: RequestOptions,
  ): Result<Comment>;
  /**
   * Delete a comment. Deletes a comment. Only its author can do this. The audit log keeps its text.
   *
   * @example
   * const [comment] = await client.tasks.listComments('019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57').toArray({ limit: 1 });
   * if (comment) await client.tasks.deleteComment(comment.task_id, comment.id);
   */
  deleteComment(id: string, commentId: string, options?: RequestOptions): Result<DeletedComment>;
}

export function createTasks(transport: Transport): Tasks {
  const { send } = transport;
  const list: Tasks['list'] = (query, options) =>
    paginate(send, operations.listTasks, { query, options }, ({ tasks }) => tasks);
  return {
    list,
    listComments: (id, query, options) =>
      paginate(send, operations.listComments, { path: { id }, query, options }, (items) => items),
    listAuditLogs: (id, query, options) =>
      paginate(send, operations.listAuditLogs, { path: { id }, query, options }, (items) => items),
    create: (body, options) => send(operations.createTask, { body, options }, taskOf),
    batch: (body, options) => send(operations.batchTasks, { body, options }),
    count: (query, options) => send(operations.countTasks, { query, options }),
    get: (id, options) => send(operations.getTask, { path: { id }, options }, taskOf),
    getIfChanged: (id, etag, options) =>
      send(operations.getTask, { path: { id }, headers: { 'If-None-Match': etag }, options }, taskOf),
    update: (id, body, options) => send(operations.updateTask, { path: { id }, body, options }, taskOf),
    delete: (id, options) => send(operations.deleteTask, { path: { id }, options }),
    assign: (id, body, options) => send(operations.assignTask, { path: { id }, body, options }),
    createComment: (id, body, options) => send(operations.createComment, { path: { id }, body, options }),
    updateComment: (id, commentId, body, options) =>
      send(operations.updateComment, { path: { id, comment_id: commentId }, body, options }),
    deleteComment: (id, commentId, options) =>
      send(operations.deleteComment, { path: { id, comment_id: commentId }, options }),
    ...createChanges(transport, list),
  };
}

function taskOf({ task }: { readonly task: Task }): Task {
  return task;
}
