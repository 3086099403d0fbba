import type { Message, Run, Session, Task } from '../../sdk/src/index.ts';

const taskId = '019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57';
const runId = '019aa601-4e32-7b21-9c3d-2e3f4a5b6c7d';

export const task: Task = {
  id: taskId,
  user_id: 'alice',
  workspace_id: null,
  title: 'Buy milk',
  description: null,
  status: 'todo',
  priority: 'none',
  assignee_id: null,
  assignee_type: null,
  assignee_name: null,
  due_date: null,
  tags: null,
  metadata: null,
  completed_at: null,
  created_at: '2026-11-21T09:30:00.000Z',
  updated_at: '2026-11-21T09:30:00.000Z',
  etag: '"rPh3vQd0aX7k"',
};

export const run: Run = {
  id: runId,
  agent_id: '019aa600-3d21-7a10-8b2c-1d2e3f4a5b6c',
  session_id: 's-1',
  status: 'running',
  output: null,
  error: null,
  incomplete_details: null,
  required_action: null,
  usage: null,
  runtime: 'builtin',
  model: null,
  created_at: '2026-11-21T10:01:00.000Z',
  completed_at: null,
};

/** The run as it is accepted. */
export const queuedRun: Run = { ...run, status: 'queued' };

export const completedRun: Run = {
  ...run,
  status: 'completed',
  output: 'Done.',
  completed_at: run.created_at,
};

export const session: Session = {
  id: 's-1',
  agent_id: run.agent_id,
  user_id: 'alice',
  title: null,
  metadata: null,
  approved_tools: [],
  status: 'idle',
  created_at: run.created_at,
  updated_at: run.created_at,
  message_count: 2,
  usage: null,
  run: completedRun,
};

export function message(id: string, content: string): Message {
  return {
    id,
    session_id: 's-1',
    run_id: runId,
    role: 'assistant',
    content,
    partial: false,
    tool_calls: null,
    tool_call_id: null,
    is_error: false,
    attachments: null,
    actor_type: 'agent',
    actor_id: run.agent_id,
    created_at: run.created_at,
  };
}
