import { jsonBody } from './json-body.ts';
import { keyedCall, overwritingCall, repeatableCall, singleCall } from './options.ts';
import type { KeyedOptions, MatchingOptions, RequestOptions } from './options.ts';
import type { Listing } from './pages.ts';
import { at } from './parameters.ts';
import type {
  AuditLogEntry,
  AuditLogQuery,
  Comment,
  CommentCreate,
  CommentQuery,
  DeletedTask,
  Task,
  TaskAssignment,
  TaskCreate,
  TaskQuery,
  TaskUpdate,
} from './resources.ts';
import { resultOf, type Result } from './result.ts';
import { createTaskLists } from './task-lists.ts';
import type { Transport } from './transport.ts';

/** Tasks of the caller, their comments and their audit log. */
export interface Tasks {
  /**
   * List tasks. The caller's tasks, newest first unless `sort` says otherwise. All filters must match; `count` is the
   * number of matches before `limit` and `offset`.
   *
   * @example
   * for await (const task of client.tasks.list({ status: ['todo', 'blocked'], sort: 'due_date' })) {
   *   console.log(task.title);
   * }
   */
  list(query?: TaskQuery, options?: RequestOptions): Listing<Task>;
  /**
   * Create a task. Creates a task that belongs to the caller. An empty optional field counts as absent.
   *
   * @example
   * const task = await client.tasks.create({ title: 'Buy milk', due_date: '2026-12-01' });
   */
  create(task: TaskCreate, options?: KeyedOptions): Result<Task>;
  /**
   * Get a task. One task of the caller, with its `ETag`.
   *
   * @example
   * const { data: task, response } = await client.tasks.get('019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57').withResponse();
   * console.log(task.title, response.headers.get('ETag'));
   */
  get(id: string, options?: RequestOptions): Result<Task>;
  /**
   * Get a task, unless it is still the version that the `ETag` names: then the result is undefined.
   *
   * @example
   * const task = await client.tasks.getIfChanged('019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57', '"2"');
   * console.log(task === undefined ? 'unchanged' : task.title);
   */
  getIfChanged(id: string, etag: string, options?: RequestOptions): Result<Task | undefined>;
  /**
   * Update a task. Merges the given fields into the task: an absent field keeps its value, null clears it (`status` and
   * `priority` return to their defaults). `id`, `user_id` and the timestamps are ignored, so a fetched task can
   * be sent back. A body without a usable field is 400 `No fields to update`. An update that changes nothing
   * keeps `updated_at` and writes no audit entry.
   *
   * @example
   * await client.tasks.update('019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57', { status: 'done', due_date: null });
   */
  update(id: string, changes: TaskUpdate, options?: MatchingOptions): Result<Task>;
  /**
   * Delete a task. Deletes the task and its comments. Its audit log stays readable for its owner.
   *
   * @example
   * await client.tasks.delete('019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57');
   */
  delete(id: string, options?: MatchingOptions): Result<DeletedTask>;
  /**
   * Assign a task. Sets the assignee fields that are given; at least one must be. An empty or null `assignee_id` clears
   * all three. With an `assignee_id`, the type defaults to `human`; for an agent of the caller the name defaults to
   * the agent's. Assigning never starts an agent and gives the assignee no rights.
   *
   * @example
   * await client.tasks.assign('019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57', { assignee_id: 'bob', assignee_name: 'Bob' });
   */
  assign(id: string, assignee: TaskAssignment, options?: MatchingOptions): Result<Task>;
  /**
   * List comments of a task. The comments of the task, oldest first.
   *
   * @example
   * const comments = await client.tasks.listComments('019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57').toArray({ limit: 50 });
   */
  listComments(id: string, query?: CommentQuery, options?: RequestOptions): Listing<Comment>;
  /**
   * Add a comment. Adds a comment by the caller.
   *
   * @example
   * await client.tasks.createComment('019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57', { body: 'Oat milk, please.' });
   */
  createComment(id: string, comment: CommentCreate, options?: KeyedOptions): Result<Comment>;
  /**
   * List audit entries of a task. Every change of the task, oldest first; replaying them reproduces it. The owner can
   * read the log of a deleted task too.
   *
   * @example
   * for await (const entry of client.tasks.listAuditLogs('019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57')) {
   *   console.log(entry.created_at, entry.action, entry.payload);
   * }
   */
  listAuditLogs(id: string, query?: AuditLogQuery, options?: RequestOptions): Listing<AuditLogEntry>;
}

export function createTasks(transport: Transport): Tasks {
  const { api, send } = transport;
  return {
    ...createTaskLists(transport),
    ...createTaskChanges(transport),
    ...createTaskReads(transport),
    create: (task, options) => {
      const call = keyedCall('createTask', options);
      const body = jsonBody(task);
      return resultOf(
        send(call, (init) => api.POST('/api/tasks', { ...init, ...body })),
        taskOf,
      );
    },
    createComment: (id, comment, options) => {
      const call = keyedCall('createComment', options);
      const body = jsonBody(comment);
      return resultOf(
        send(call, (init) => api.POST('/api/tasks/{id}/comments', { ...init, ...at(id), ...body })),
      );
    },
  };
}

function createTaskChanges({ api, send }: Transport): Pick<Tasks, 'update' | 'delete' | 'assign'> {
  return {
    update: (id, changes, { ifMatch, ...options } = {}) => {
      const call = overwritingCall('updateTask', options, { 'If-Match': ifMatch });
      const body = jsonBody(changes);
      return resultOf(
        send(call, (init) => api.PUT('/api/tasks/{id}', { ...init, ...at(id), ...body })),
        taskOf,
      );
    },
    delete: (id, { ifMatch, ...options } = {}) => {
      const call = repeatableCall('deleteTask', options, { 'If-Match': ifMatch });
      return resultOf(send(call, (init) => api.DELETE('/api/tasks/{id}', { ...init, ...at(id) })));
    },
    assign: (id, assignee, { ifMatch, ...options } = {}) => {
      const call = singleCall('assignTask', options, { 'If-Match': ifMatch });
      const body = jsonBody(assignee);
      return resultOf(
        send(call, (init) => api.POST('/api/tasks/{id}/assign', { ...init, ...at(id), ...body })),
      );
    },
  };
}

function createTaskReads({ api, send }: Transport): Pick<Tasks, 'get' | 'getIfChanged'> {
  return {
    get: (id, options) => {
      const call = repeatableCall('getTask', options);
      return resultOf(
        send(call, (init) => api.GET('/api/tasks/{id}', { ...init, ...at(id) })),
        taskOf,
      );
    },
    getIfChanged: (id, etag, options) => {
      const call = repeatableCall('getTask', options, { 'If-None-Match': etag });
      const answer = send<Envelope | undefined>(call, (init) =>
        api.GET('/api/tasks/{id}', { ...init, ...at(id) }),
      );
      return resultOf(answer, (body) => body?.task);
    },
  };
}

interface Envelope {
  readonly task: Task;
}

function taskOf({ task }: Envelope): Task {
  return task;
}
