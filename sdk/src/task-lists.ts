import { retryable } from './options.ts';
import { paginate } from './paginator.ts';
import { filtersOf, listParams, statusFilter } from './parameters.ts';
import type { Tasks } from './tasks.ts';
import type { Transport } from './transport.ts';

/** The operations on tasks that return pages. */
export function createTaskLists({
  api,
  send,
}: Transport): Pick<Tasks, 'list' | 'listComments' | 'listAuditLogs'> {
  return {
    list: ({ status, ...query } = {}, options) => {
      const call = retryable('listTasks', options);
      const statuses = status === undefined ? undefined : [status].flat();
      const filters = filtersOf(query);
      return paginate(
        query,
        (page) =>
          send(call, (init) => {
            const parameters = { ...filters, ...statusFilter(statuses), ...page };
            return api.GET('/api/tasks', { ...init, params: { query: parameters } });
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
