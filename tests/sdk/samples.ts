import type { Message, Run, RunEvent, Task } from '../../sdk/src/index.ts';
import { json, sseEvent } from './fake-server.ts';

export const task: Task = {
  id: '019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57',
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

/** A run that has begun. */
export const run: Run = {
  id: '019aa601-4e32-7b21-9c3d-2e3f4a5b6c7d',
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

/** The response to the start of a run. */
export const accepted = json(202, { ...run, status: 'queued' });

export const started = sseEvent('run.started', run);
export const completed = ended('completed');
export const heartbeat = ': still here\n\n';

/** The last event of a run with this status. */
export function ended(status: Run['status'], fields: object = {}): string {
  return sseEvent(`run.${status}`, { ...run, status, ...fields });
}

/** The event of a run's nth message. */
export function messageEvent(n: number, content = 'Done.'): string {
  const message: Message = {
    id: `m-${n}`,
    session_id: run.session_id,
    run_id: run.id,
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
  return sseEvent('message', message, String(n));
}

/** The names of events; messages also have their ids. */
export function namesOf(events: readonly RunEvent[]): string[] {
  return events.map(({ event, data }) => ('content' in data ? `${event} ${data.id}` : event));
}
