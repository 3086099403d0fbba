import type { OperationId } from '../../server/src/operation.ts';
import type { Input } from './client.ts';

/** An id of no resource. */
export const unknownId = '01932c07-a5a8-7d51-8a62-3a4b5c6d7e8f';

/** A valid request for each operation. */
export const requests: Record<OperationId, Input> = {
  listTasks: {},
  countTasks: {},
  createTask: { body: { title: 'x' } },
  getTask: { id: unknownId },
  updateTask: { id: unknownId, body: { title: 'x' } },
  deleteTask: { id: unknownId },
  assignTask: { id: unknownId, body: { assignee_id: 'bob' } },
  batchTasks: { body: { create: [{ title: 'x' }] } },
  listComments: { id: unknownId },
  createComment: { id: unknownId, body: { body: 'x' } },
  updateComment: { id: unknownId, commentId: unknownId, body: { body: 'x' } },
  deleteComment: { id: unknownId, commentId: unknownId },
  listAuditLogs: { id: unknownId },
  listChanges: { query: { after: '0' } },
  getMe: {},
  getVizStatus: {},
  renderSvg: { body: { data: [] } },
  renderPng: { body: { data: [] } },
  renderPdf: { body: { data: [] } },
  listAgents: {},
  createAgent: { body: { name: 'x' } },
  getAgent: { id: unknownId },
  updateAgent: { id: unknownId, body: { name: 'x' } },
  deleteAgent: { id: unknownId },
  runAgent: { id: unknownId, body: { input: 'x' } },
  listRuntimes: {},
  listRuns: {},
  getRun: { id: unknownId },
  cancelRun: { id: unknownId },
  decideToolCalls: { id: unknownId, body: { decisions: [{ tool_call_id: 'x', approve: true }] } },
  listSessions: {},
  getSession: { id: unknownId },
  updateSession: { id: unknownId, body: { title: 'x' } },
  deleteSession: { id: unknownId },
  listMessages: { id: unknownId },
};

// The keys of `requests` are exactly the operations.
export const operationIds = Object.keys(requests) as OperationId[];

/** The query of the valid request of an operation, with its question mark. */
export function searchOf(id: OperationId): string {
  const { query } = requests[id];
  if (typeof query !== 'object') return '';
  const pairs = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  return `?${new URLSearchParams(pairs).toString()}`;
}
