import { retryable } from './call.ts';
import type { operations } from './generated/contract.ts';
import type { RequestOptions } from './options.ts';
import { paginate, type Paginator } from './paginator.ts';
import { listParams } from './parameters.ts';
import type { AuditLogEntry, AuditLogQuery, Comment, CommentQuery, Task, TaskQuery } from './resources.ts';
import type { Transport } from './transport.ts';

/** The operations on tasks that return pages. */
export interface TaskLists {
  /**
   * List tasks. The caller's tasks, newest first unless `sort` says otherwise. All filters must match; `count` is the
   * number of matches before `limit` and `offset`, and `limit=0` returns it alone.
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
}

/** The query as it is sent: dates as text, and a single status as a list. */
type WireQuery = NonNullable<operations['listTasks']['parameters']['query']>;

export function createTaskLists({ api, send }: Transport): TaskLists {
  return {
    list: (query = {}, options) => {
      const call = retryable('listTasks', options);
      return paginate(
        query,
        (page) =>
          send(call, (init) => {
            return api.GET('/api/tasks', { ...init, params: { query: page as WireQuery } });
          }),
        ({ tasks, count }) => ({ items: tasks, count }),
      );
    },
    listComments: (id, query = {}, options) => {
      const call = retryable('listComments', options);
      return paginate(
        query,
        (page) =>
          send(call, (init) => api.GET('/api/tasks/{id}/comments', { ...init, ...listParams(id, page) })),
        (items) => ({ items }),
      );
    },
    listAuditLogs: (id, query = {}, options) => {
      const call = retryable('listAuditLogs', options);
      return paginate(
        query,
        (page) =>
          send(call, (init) => api.GET('/api/tasks/{id}/audit-logs', { ...init, ...listParams(id, page) })),
        (items) => ({ items }),
      );
    },
  };
}
