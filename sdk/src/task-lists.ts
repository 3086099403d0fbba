import { repeatableCall } from './options.ts';
import { listing } from './pages.ts';
import { listAt, statusFilter } from './parameters.ts';
import type { Tasks } from './tasks.ts';
import type { Transport } from './transport.ts';

/** The operations of the tasks area that answer page by page. */
export function createTaskLists({
  api,
  send,
}: Transport): Pick<Tasks, 'list' | 'listComments' | 'listAuditLogs'> {
  return {
    list: ({ status, ...filters } = {}, options) => {
      const call = repeatableCall('listTasks', options);
      const statuses = status === undefined ? undefined : [status].flat();
      return listing(
        filters,
        (page) =>
          send(call, (init) => {
            const query = { ...filters, ...statusFilter(statuses), ...page };
            return api.GET('/api/tasks', { ...init, params: { query } });
          }),
        ({ tasks, count }) => ({ items: tasks, count }),
      );
    },
    listComments: (id, query = {}, options) => {
      const call = repeatableCall('listComments', options);
      return listing(
        query,
        (page) => send(call, (init) => api.GET('/api/tasks/{id}/comments', { ...init, ...listAt(id, page) })),
        (items) => ({ items }),
      );
    },
    listAuditLogs: (id, query = {}, options) => {
      const call = repeatableCall('listAuditLogs', options);
      return listing(
        query,
        (page) =>
          send(call, (init) => api.GET('/api/tasks/{id}/audit-logs', { ...init, ...listAt(id, page) })),
        (items) => ({ items }),
      );
    },
  };
}
