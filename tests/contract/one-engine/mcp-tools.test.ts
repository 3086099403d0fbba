import type { Client as McpClient } from '@modelcontextprotocol/client';
import { beforeAll, describe, expect, it } from 'vitest';
import { createAgent, finishedSession, runAgent } from '../../support/agents.ts';
import type { OperationId } from '../../../server/src/contract/operation.ts';
import type { Client, Input } from '../../support/client.ts';
import { operationOf } from '../../support/contract.ts';
import { callTool, connectMcp, revisions } from '../../support/mcp.ts';
import { sharedServer } from '../../support/server.ts';

/** The resources that the calls use. */
interface Subject {
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
function requestOf({ operation, values, headers }: Pair, subject: Subject): Input {
  const { id, ...others } = values(subject);
  const isRead = operationOf(operation).method === 'GET';
  const query = Object.entries(others).map(([name, value]): [string, string] => [name, String(value)]);
  const rest = isRead ? { query: new URLSearchParams(query).toString() } : { body: others };
  return { id, ...rest, headers };
}

const newTask = { title: 'Buy milk', tags: 'food', description: '' };
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
const pairs: readonly Pair[] = [
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

const server = sharedServer();

describe.each(revisions)('the tools, in the revision %s', (revision) => {
  let alice: Client;
  let subject: Subject;
  const connect = async (): Promise<McpClient> => connectMcp(server, await server.token('alice'), revision);

  beforeAll(async () => {
    alice = await server.as('alice');
    subject = await createSubject(alice);
  });

  it('are one for each pair of this file, with a title and every hint', async () => {
    const { tools } = await (await connect()).listTools();

    expect(tools.map(({ name }) => name)).toEqual(pairs.map(({ tool }) => tool));
    for (const { title, annotations } of tools) {
      expect(title).toMatch(/^[A-Z]/);
      expect(annotations).toEqual({
        title,
        readOnlyHint: expect.any(Boolean),
        destructiveHint: expect.any(Boolean),
        idempotentHint: expect.any(Boolean),
        openWorldHint: expect.any(Boolean),
      });
    }
  });

  it.each(pairs)('$tool has the result of $operation', async (pair) => {
    const client = await connect();

    const byTool = await callTool(client, pair.tool, pair.values(subject));
    const byHttp = await alice.ok(pair.operation, requestOf(pair, subject));

    expect(byTool.isError, byTool.text).toBe(false);
    expect(byTool.text).not.toBe('');
    const hidden = [...(pair.creates === true ? ofOneCall : []), ...(pair.omits ?? [])];
    expect(comparable(fieldsOrImage(byTool), hidden)).toEqual(
      comparable(expectedFields(byHttp.body, byHttp.headers), hidden),
    );
  });
});

async function createSubject(alice: Client): Promise<Subject> {
  const { body: created } = await alice.ok('createTask', { body: { ...newTask, due_date: '2026-12-01' } });
  for (const each of ['one', 'two']) {
    await alice.ok('createTask', { body: { title: each, tags: 'food' } });
    await alice.ok('createComment', { id: created.task.id, body: { body: each } });
  }
  const agent = await createAgent(alice);
  const { body: run } = await runAgent(alice, agent, 'chart my tasks by status');
  await finishedSession(alice, run.session_id);
  return { taskId: created.task.id, agentId: agent.id, runId: run.id, sessionId: run.session_id };
}

function fieldsOrImage({ fields, images }: Awaited<ReturnType<typeof callTool>>): unknown {
  const [image] = images;
  return image === undefined ? fields : { png_base64: image.data };
}

/** The body of a response as a tool returns it: without null and base64, with the cursor of the next page. */
function expectedFields(body: unknown, headers: Headers): unknown {
  const next = /<([^>]*)>; rel="next"/.exec(headers.get('Link') ?? '')?.[1];
  const cursor = next && new URL(next, 'http://localhost').searchParams.get('cursor');
  return {
    ...(Array.isArray(body) ? { [nameOfEntries(body)]: body } : Object(body)),
    ...(cursor ? { next_cursor: cursor } : {}),
  };
}

function nameOfEntries(entries: readonly object[]): string {
  return entries.some((entry) => 'action' in entry) ? 'entries' : 'comments';
}

/** Fields that differ between two calls, because each call creates a resource. */
const ofOneCall = [
  ...['id', 'session_id', 'created_at', 'updated_at', 'completed_at', 'status', 'output', 'etag'],
  ...['url', 'expires_at'],
];

/** A value without null, base64 and the fields in `hidden`. */
function comparable(value: unknown, hidden: readonly string[]): unknown {
  const json = JSON.stringify(value, (name, each: unknown) =>
    each === null || name === 'data_base64' || hidden.includes(name) ? undefined : each,
  );
  return JSON.parse(json);
}
