import type { OperationId } from '../../../server/src/operation.ts';
import type { Input } from '../../support/client.ts';

/** The resources that the calls are about. */
export interface Subject {
  readonly taskId: string;
  readonly agentId: string;
  readonly runId: string;
  readonly sessionId: string;
}

interface Pair {
  readonly tool: string;
  readonly values: (subject: Subject) => Record<string, unknown>;
  readonly operation: OperationId;
  readonly input: (subject: Subject) => Input;
  /** True if each call creates another resource, with an id and a time of its own. */
  readonly creates?: true;
  /** Fields that the tool leaves out. */
  readonly omits?: readonly string[];
}

const chart = { title: 'Tasks', data: [{ label: 'todo', value: 7 }] };
export const newTask = { title: 'Buy milk', tags: 'food', description: '' };

/** Every tool with the request that must have the same effect and the same result. */
export const pairs: readonly Pair[] = [
  {
    tool: 'list_tasks',
    values: () => ({ status: ['todo'], tag: 'food', limit: 2 }),
    operation: 'listTasks',
    input: () => ({ query: { status: 'todo', tag: 'food', limit: 2 } }),
  },
  {
    tool: 'get_task',
    values: ({ taskId }) => ({ id: taskId }),
    operation: 'getTask',
    input: ({ taskId }) => ({ id: taskId }),
  },
  {
    tool: 'create_task',
    values: () => newTask,
    operation: 'createTask',
    input: () => ({ body: newTask }),
    creates: true,
  },
  {
    tool: 'update_task',
    values: ({ taskId }) => ({ id: taskId, priority: 'high', due_date: '' }),
    operation: 'updateTask',
    input: ({ taskId }) => ({ id: taskId, body: { priority: 'high', due_date: '' } }),
  },
  {
    tool: 'assign_task',
    values: ({ taskId, agentId }) => ({ id: taskId, assignee_id: agentId, assignee_type: 'agent' }),
    operation: 'assignTask',
    input: ({ taskId, agentId }) => ({
      id: taskId,
      body: { assignee_id: agentId, assignee_type: 'agent' },
    }),
  },
  {
    tool: 'list_comments',
    values: ({ taskId }) => ({ id: taskId, limit: 1 }),
    operation: 'listComments',
    input: ({ taskId }) => ({ id: taskId, query: { limit: 1 } }),
  },
  {
    tool: 'add_comment',
    values: ({ taskId }) => ({ id: taskId, body: 'Oat milk, please.' }),
    operation: 'createComment',
    input: ({ taskId }) => ({ id: taskId, body: { body: 'Oat milk, please.' } }),
    creates: true,
  },
  {
    tool: 'list_audit_log',
    values: ({ taskId }) => ({ id: taskId, limit: 1 }),
    operation: 'listAuditLogs',
    input: ({ taskId }) => ({ id: taskId, query: { limit: 1 } }),
  },
  { tool: 'render_chart', values: () => chart, operation: 'renderPng', input: () => ({ body: chart }) },
  {
    tool: 'list_agents',
    values: () => ({}),
    operation: 'listAgents',
    input: () => ({}),
    omits: ['model_options'],
  },
  {
    tool: 'run_agent',
    values: ({ agentId }) => ({ id: agentId, input: 'list my tasks' }),
    operation: 'runAgent',
    input: ({ agentId }) => ({
      id: agentId,
      body: { input: 'list my tasks' },
      headers: { Prefer: 'respond-async' },
    }),
    creates: true,
  },
  {
    tool: 'get_run',
    values: ({ runId }) => ({ id: runId }),
    operation: 'getRun',
    input: ({ runId }) => ({ id: runId }),
  },
  {
    tool: 'cancel_run',
    values: ({ runId }) => ({ id: runId }),
    operation: 'cancelRun',
    input: ({ runId }) => ({ id: runId }),
  },
  {
    tool: 'list_messages',
    values: ({ sessionId }) => ({ id: sessionId }),
    operation: 'listMessages',
    input: ({ sessionId }) => ({ id: sessionId }),
  },
];
