import type { OperationId } from '../../../server/src/contract/operation.ts';
import type { Input } from '../../support/client.ts';
import { operationOf } from '../../support/contract.ts';

/** The resources that the calls use. */
export interface Subject {
  readonly taskId: string;
  readonly agentId: string;
  readonly runId: string;
  readonly sessionId: string;
}

interface Values extends Readonly<Record<string, unknown>> {
  readonly id?: string;
}

interface Pair {
  readonly tool: string;
  readonly operation: OperationId;
  readonly values: (subject: Subject) => Values;
  /** Headers of the corresponding HTTP request. */
  readonly headers?: Record<string, string>;
  /** True if each call creates a resource with its own id and time. */
  readonly creates?: true;
  /** Fields that the tool's result leaves out. */
  readonly omits?: readonly string[];
}

/** The HTTP request that must have the same effect and result as a call of the tool. */
export function requestOf({ operation, values, headers }: Pair, subject: Subject): Input {
  const { id, ...others } = values(subject);
  const isRead = operationOf(operation).method === 'GET';
  const query = Object.entries(others).map(([name, value]): [string, string] => [name, String(value)]);
  const rest = isRead ? { query: new URLSearchParams(query).toString() } : { body: others };
  return { id, ...rest, headers };
}

export const newTask = { title: 'Buy milk', tags: 'food', description: '' };
const chart = { title: 'Tasks', data: [{ label: 'todo', value: 7 }] };
const later = { Prefer: 'respond-async' };
const assignment: Pair['values'] = ({ taskId: id, agentId }) => ({
  ...{ id, assignee_id: agentId, assignee_type: 'agent' },
});
const run: Pair['values'] = ({ agentId: id }) => ({ id, input: 'list my tasks' });
const comment: Pair['values'] = ({ taskId: id }) => ({ id, body: 'Oat milk, please.' });

/** Values with the id of one resource. */
const aboutTask =
  (fields: object = {}): Pair['values'] =>
  ({ taskId: id }) => ({ id, ...fields });
const aboutRun: Pair['values'] = ({ runId: id }) => ({ id });

/** Every tool, with the operation that must have the same effect and result. */
export const pairs: readonly Pair[] = [
  {
    ...{ tool: 'list_tasks', operation: 'listTasks' },
    values: () => ({ status: ['todo'], tag: 'food', limit: 2 }),
  },
  { tool: 'get_task', operation: 'getTask', values: aboutTask() },
  { tool: 'create_task', operation: 'createTask', values: () => newTask, creates: true },
  { tool: 'update_task', operation: 'updateTask', values: aboutTask({ priority: 'high' }) },
  { tool: 'assign_task', operation: 'assignTask', values: assignment },
  { tool: 'list_comments', operation: 'listComments', values: aboutTask({ limit: 1 }) },
  { tool: 'add_comment', operation: 'createComment', values: comment, creates: true },
  { tool: 'list_audit_log', operation: 'listAuditLogs', values: aboutTask({ limit: 1 }) },
  { tool: 'render_chart', operation: 'renderPng', values: () => chart },
  { tool: 'link_chart', operation: 'linkChart', values: () => ({ chart, format: 'svg' }), creates: true },
  { tool: 'list_agents', operation: 'listAgents', values: () => ({}), omits: ['model_options'] },
  { tool: 'run_agent', operation: 'runAgent', values: run, headers: later, creates: true },
  { tool: 'get_run', operation: 'getRun', values: aboutRun },
  { tool: 'cancel_run', operation: 'cancelRun', values: aboutRun },
  { tool: 'list_messages', operation: 'listMessages', values: ({ sessionId: id }) => ({ id }) },
];
