import type { Run, RunEvent, Task } from '../../sdk/src/index.ts';
import document from '../../server/src/generated/openapi.json' with { type: 'json' };
import { json, problem, sseEvent } from './fake-server.ts';

const { '/api/tasks': tasks, '/v1/runs/{id}': runs, '/v1/sessions/{id}/messages': messages } = document.paths;

/** The task of the contract's examples. */
export const task: Task = tasks.post.responses[201].content['application/json'].example.task;

/** The response to a request for the task. */
export const answer = json(200, { task });

/** The header of a response that lets a client retry at once. */
export const soon = { 'Retry-After': '0' };
export const overloaded = problem(503, 'Overloaded', soon);

/** A run that has begun. */
export const run: Run = {
  ...runs.get.responses[200].content['application/json'].examples.running.value,
  session_id: 's-1',
  status: 'running',
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
  const [example] = messages.get.responses[200].content['application/json'].examples.default.value.messages;
  const message = { ...example, id: `m-${n}`, run_id: run.id, role: 'assistant', content };
  return sseEvent('message', message, String(n));
}

/** The names of events; messages also have their ids. */
export function namesOf(events: readonly RunEvent[]): string[] {
  return events.map(({ event, data }) => ('content' in data ? `${event} ${data.id}` : event));
}
