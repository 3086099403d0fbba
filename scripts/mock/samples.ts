import type { Schemas } from '../../server/src/operation.ts';
import document from '../../server/src/generated/openapi.json' with { type: 'json' };

const { paths } = document;

/** The examples of the contract, from which those of other states differ in a few fields. */
export const task: Schemas['Task'] =
  paths['/api/tasks/{id}'].get.responses['200'].content['application/json'].example.task;

export const run = paths['/v1/runs/{id}'].get.responses['200'].content['application/json']
  .example as Schemas['Run'];

export const runtimes = paths['/v1/runtimes'].get.responses['200'].content['application/json']
  .example as Schemas['RuntimeList'];

/** An MCP server that cannot list its tools. */
export const unreachableSkill: Schemas['Skill'] = {
  name: 'mcp:crm',
  tools: [],
  problem: 'The MCP server "crm" cannot be reached (ECONNREFUSED).',
};

export const session = paths['/v1/sessions/{id}'].get.responses['200'].content['application/json']
  .example as Schemas['Session'];

const [firstMessage] =
  paths['/v1/sessions/{id}/messages'].get.responses['200'].content['application/json'].example.messages;

/** The message that began the run. */
export const request = firstMessage as Schemas['Message'];

export const reply: Schemas['Message'] = {
  ...request,
  id: '019aa601-4e32-7d22-8a6b-5b6c7d8e9fa0',
  role: 'assistant',
  content: 'Created the task "Buy milk".',
  actor_type: 'agent',
  actor_id: run.agent_id,
  created_at: '2026-11-21T10:01:00.110Z',
};

export const runningRun: Schemas['Run'] = { ...run, status: 'running', output: null, completed_at: null };

/** A run whose call of a tool waits for the approval of its user. */
export const waitingRun: Schemas['Run'] = {
  ...runningRun,
  status: 'requires_action',
  required_action: {
    tool_calls: [{ id: 'call_1', name: 'create_task', arguments: { title: 'Buy milk' } }],
    expires_at: '2026-11-28T10:01:00.000Z',
  },
};

export const failedRun: Schemas['Run'] = {
  ...run,
  status: 'failed',
  output: null,
  error: { code: 'runtime_error', message: 'The model server answered 500.' },
};

export const incompleteRun: Schemas['Run'] = {
  ...run,
  status: 'incomplete',
  output: 'Created the',
  incomplete_details: { reason: 'max_output_tokens' },
};

export const cancelledRun: Schemas['Run'] = { ...run, status: 'cancelled', output: null };

/** Tasks as a board has them: several states, priorities and dates. */
export const manyTasks: readonly Schemas['Task'][] = Array.from({ length: 100 }, (_, i) => ({
  ...task,
  id: `019aa5f2-7c1e-7b43-9d2f-${String(i).padStart(12, '0')}`,
  title: `${['Buy', 'Call', 'Review', 'Write', 'Repair'][i % 5] ?? ''} ${['milk', 'the bank', 'the draft', 'the report'][i % 4] ?? ''}`,
  status: ['todo', 'in_progress', 'blocked', 'done', 'cancelled'][i % 5] ?? 'todo',
  completed_at: i % 5 === 3 ? task.updated_at : null,
  priority: ['none', 'low', 'high'][i % 3] ?? 'none',
  assignee_id: i % 4 === 0 ? 'bob' : null,
  assignee_type: i % 4 === 0 ? 'human' : null,
  assignee_name: i % 4 === 0 ? 'Bob' : null,
  due_date: i % 6 === 0 ? null : `2026-12-${String((i % 28) + 1).padStart(2, '0')}`,
}));

/** The events as a server sends them (HTML standard, section 9.2). */
export function eventStream(...events: readonly Schemas['RunEvent'][]): string {
  return events
    .map((each) => {
      const id = 'id' in each ? `id: ${each.id}\n` : '';
      return `event: ${each.event}\n${id}data: ${JSON.stringify(each.data)}\n\n`;
    })
    .join('');
}
