import type { Schemas } from '../../server/src/operations.ts';
import type { Client } from './client.ts';

/** A new task of the client's user. */
export async function createTask(
  client: Client,
  fields: Partial<Schemas['TaskCreate']> = {},
): Promise<Schemas['Task']> {
  const { body } = await client.ok('createTask', { body: { title: 'A task', ...fields } });
  return body.task;
}

/** The actions and parsed payloads of a task's audit log. */
export async function auditLog(client: Client, id: string): Promise<{ action: string; payload: unknown }[]> {
  const { body } = await client.ok('listAuditLogs', { id });
  return body.map(({ action, payload }) => ({ action, payload: JSON.parse(payload) as unknown }));
}

/** What a replay of the audit log says the task is. */
export function replay(log: readonly { action: string; payload: unknown }[]): Record<string, unknown> {
  const task: Record<string, unknown> = {};
  for (const { action, payload } of log) {
    if (action === 'create') Object.assign(task, payload);
    if (action !== 'update' && action !== 'assign') continue;
    const { changes } = payload as { changes: Record<string, { from: unknown; to: unknown }> };
    for (const [field, { from, to }] of Object.entries(changes)) {
      if ((task[field] ?? null) !== from) {
        throw new Error(`${field} was ${String(task[field])}, but the log says ${String(from)}.`);
      }
      task[field] = to;
    }
  }
  return task;
}
