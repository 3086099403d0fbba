import * as operations from './generated/operations.ts';
import type { RequestOptions } from './options.ts';
import { paginate, type Paginator } from './paginator.ts';
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

export function createTaskLists({ send }: Transport): TaskLists {
  return {
    list: (query = {}, options) =>
      paginate(
        query,
        (page) => send(operations.listTasks, { query: page, options }),
        ({ tasks, count }) => ({ items: tasks, count }),
      ),
    listComments: (id, query = {}, options) =>
      paginate(
        query,
        (page) => send(operations.listComments, { path: { id }, query: page, options }),
        (items) => ({ items }),
      ),
    listAuditLogs: (id, query = {}, options) =>
      paginate(
        query,
        (page) => send(operations.listAuditLogs, { path: { id }, query: page, options }),
        (items) => ({ items }),
      ),
  };
}
