import document from '../../server/src/generated/openapi.json' with { type: 'json' };
import type { Schemas } from '../../server/src/contract/operation.ts';
import type { Client } from './client.ts';
import { resolveReferences } from './contract.ts';

export async function createTask(
  client: Client,
  fields: Partial<Schemas['TaskCreate']> = {},
): Promise<Schemas['Task']> {
  const { body } = await client.ok('createTask', { body: { title: 'A task', ...fields } });
  return body.task;
}

/** Creates five tasks, in this order, that differ in everything that lists can be filtered by. */
export async function createFiveTasks(client: Client): Promise<Client> {
  for (const task of fiveTasks) await createTask(client, task);
  return client;
}

const fiveTasks: readonly Schemas['TaskCreate'][] = [
  { title: 'Apples', workspace_id: 'home', tags: 'food,red', due_date: '2026-12-01' },
  { title: 'bread', workspace_id: 'home', status: 'done', tags: '["food","daily"]' },
  { title: 'Car', status: 'blocked', priority: 1, due_date: '2026-12-03T08:00:00+02:00[Europe/Kyiv]' },
  { title: 'desk', assignee_id: 'bob', assignee_type: 'agent', due_date: 'soon', priority: 'Urgent' },
  { title: '100%_\\', description: 'Ends with ÄPPLE', tags: 'red meat', priority: 'low' },
];

/** The actions and parsed payloads of a task's audit log. */
export async function auditLog(client: Client, id: string): Promise<{ action: string; payload: unknown }[]> {
  const { body } = await client.ok('listAuditLogs', { id });
  return body.map(({ action, payload }) => ({ action, payload: JSON.parse(payload) as unknown }));
}

/** The fields of a task, computed from its audit log. */
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

const { parameters } = resolveReferences(document.paths['/api/tasks'].get) as {
  readonly parameters: readonly { readonly name: string; readonly schema: { readonly enum?: string[] } }[];
};

export const sorts = parameters.find(({ name }) => name === 'sort')?.schema.enum ?? [];

interface Limited {
  readonly type?: string | readonly string[];
  readonly maxLength?: number;
  readonly anyOf?: readonly Limited[];
}

// This cast is safe: references are resolved, so each field has its schema.
const { properties } = resolveReferences(document.components.schemas.TaskFields) as {
  readonly properties: Readonly<Record<string, Limited>>;
};

/** The maximum length of each text field of a task, from its schema or from one of its alternatives. */
export const textLimits = Object.entries(properties).flatMap(([field, { anyOf = [], ...own }]) =>
  [own, ...anyOf]
    .filter(({ type = [] }) => [type].flat().includes('string'))
    .map(({ maxLength }) => {
      if (maxLength === undefined)
        throw new Error(`The field ${field} has no maxLength in openapi/tasks.yaml.`);
      return [field, maxLength] as const;
    }),
);
