import type { OperationId } from '../../server/src/operation.ts';
import type { Input } from './client.ts';

/** An id of no resource. */
export const unknownId = '01932c07-a5a8-7d51-8a62-3a4b5c6d7e8f';

/** A valid request for each operation. */
export const requests: Record<OperationId, Input> = {
  listTasks: {},
  createTask: { body: { title: 'x' } },
  getTask: { id: unknownId },
  updateTask: { id: unknownId, body: { title: 'x' } },
  deleteTask: { id: unknownId },
  assignTask: { id: unknownId, body: { assignee_id: 'bob' } },
  listComments: { id: unknownId },
  createComment: { id: unknownId, body: { body: 'x' } },
  listAuditLogs: { id: unknownId },
  getVizStatus: {},
  renderSvg: { body: { data: [] } },
  renderPng: { body: { data: [] } },
  renderPdf: { body: { data: [] } },
  listAgents: {},
  createAgent: { body: { name: 'x' } },
  runAgent: { id: unknownId, body: { input: 'x' } },
  getSession: { id: unknownId },
  listMessages: { id: unknownId },
};

// The keys of `requests` are exactly the operations.
export const operationIds = Object.keys(requests) as OperationId[];
