import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { ApiError, type Client } from '../../sdk/src/index.ts';

/** What an application reads in each step, without ids and times. */
export type Seen = Readonly<Record<string, unknown>>;

/** Values from earlier steps. `key` is also the workspace of the task; `carefulId` is an agent that asks first. */
const initial = { key: '', position: '', taskId: '', etag: '', agentId: '', carefulId: '', sessionId: '' };
type Values = typeof initial;

const draft = { title: 'Buy milk', due_date: '2026-12-01', tags: 'shopping,food' };
const chart = { title: 'Tasks', data: [{ label: 'todo', value: 7 }] };
const input = 'create a task titled Buy milk';

type Act = (client: Client, values: Values) => Promise<unknown>;

/** A result that the journey shows as it is. Of other results, it shows only the shape. */
class Exact {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

/** The first and the last event of a stream. */
async function endsOf({ agents }: Client, id: string, headers = {}): Promise<Exact> {
  const events: string[] = [];
  for await (const { event } of agents.stream(id, { input }, { headers })) events.push(event);
  return new Exact([events[0], events.at(-1)]);
}

/** The calls of the journey, in order. A mock responds as `Prefer` says, which the server ignores. */
const steps: Readonly<Record<string, Act>> = {
  'list the changes after now': async ({ tasks }, values) => {
    const { next, changes } = await tasks.listChanges({ after: 'now' });
    values.position = next;
    return new Exact(changes.length);
  },
  'create a task': async ({ tasks }, values) => {
    const task = { ...draft, workspace_id: values.key };
    const { data, response } = await tasks.create(task, { idempotencyKey: values.key }).withResponse();
    values.taskId = data.id;
    values.etag = response.headers.get('ETag') ?? '';
    return data;
  },
  'create the task again under its key': async ({ tasks }, { key }) => {
    const again = tasks.create({ ...draft, workspace_id: key }, { idempotencyKey: key });
    return new Exact((await again.withResponse()).response.headers.get('Idempotency-Replayed'));
  },
  'get it': ({ tasks }, { taskId }) => tasks.get(taskId),
  'get it if it has changed': ({ tasks }, { taskId, etag }) => tasks.getIfChanged(taskId, etag),
  'count tasks': async ({ tasks }, { key }) => {
    const { count, by_status: byStatus } = await tasks.count({ workspace_id: key });
    return { count, byStatus };
  },
  'read who calls': async (client) => {
    const { id, name, limits_per_minute: limits } = await client.me();
    return { id, name, limits };
  },
  'list tasks': ({ tasks }) => tasks.list({ status: 'todo' }).toArray(),
  'list the tasks of its workspace': async ({ tasks }, { key }) => {
    const all = await tasks.list({ workspace_id: key }).toArray();
    return new Exact(all.map(({ title, status }) => ({ title, status })));
  },
  'page of tasks': ({ tasks }) => tasks.list({ limit: 1, sort: 'title' }).page(),
  'assign it': ({ tasks }, { taskId }) => tasks.assign(taskId, { assignee_id: 'bob', assignee_name: 'Bob' }),
  'take the assignee away and finish it': async ({ tasks }, { taskId, etag }) => {
    const { etag: ifMatch } = await tasks.assign(taskId, { assignee_id: null });
    const changes = { status: 'done', due_date: null };
    const { data, response } = await tasks.update(taskId, changes, { ifMatch }).withResponse();
    const isOfVersion = response.headers.get('ETag') === data.etag && data.etag !== etag;
    return new Exact({ status: data.status, isOfVersion });
  },
  'change it by an old version': ({ tasks }, { taskId, etag }) =>
    tasks.update(taskId, { status: 'todo' }, { ifMatch: etag, headers: { Prefer: 'code=412' } }),
  'comment on it': async ({ tasks }, { taskId }) => {
    const { data, response } = await tasks
      .createComment(taskId, { body: 'Oat milk, please.' })
      .withResponse();
    const isInList = response.headers.get('Location') === `/api/tasks/${data.task_id}/comments`;
    return new Exact({ body: data.body, status: response.status, isInList });
  },
  'follow its changes': async ({ tasks }, { position }) => {
    const states: string[] = [];
    const following = tasks.changes({ after: position }, { onState: ({ state }) => states.push(state) });
    for await (const { action } of following) if (action === 'update') return new Exact(states);
    return 'ended';
  },
  'change many tasks': async ({ tasks }, { taskId }) => {
    const { update } = await tasks.batch({ update: [{ id: taskId, status: 'done' }] });
    return update.map(({ status, error }) => ({ status, error }));
  },
  'change and delete a comment': async ({ tasks }, { taskId }) => {
    const { id } = await tasks.createComment(taskId, { body: 'Two litres.' });
    await tasks.updateComment(taskId, id, { body: 'One litre.' });
    return tasks.deleteComment(taskId, id);
  },
  'list its comments': ({ tasks }, { taskId }) => tasks.listComments(taskId).toArray(),
  'list its audit log': ({ tasks }, { taskId }) => tasks.listAuditLogs(taskId).toArray(),
  'delete it': ({ tasks }, { taskId }) => tasks.delete(taskId),
  'get it once it is deleted': ({ tasks }, { taskId }) => tasks.get(taskId),
  'create a task without a title': ({ tasks }) => tasks.create({ title: '' }),
  'ask what can be rendered': ({ viz }) => viz.getStatus(),
  'render an SVG': ({ viz }) => viz.renderSvg(chart),
  'render a PNG': ({ viz }) => viz.renderPng(chart),
  'render a PDF': ({ viz }) => viz.renderPdf(chart),
  'draw a dark chart': async ({ viz }) => {
    const { svg } = await viz.renderSvg({ ...chart, theme: 'dark' });
    const { bytes } = await viz.renderPng({ ...chart, theme: 'dark' });
    return new Exact(createHash('sha256').update(svg).update(bytes).digest('hex'));
  },
  'make the address of a chart': ({ viz }) => viz.link({ chart }),
  'create an agent': async ({ agents }, values) => {
    const agent = await agents.create({ name: 'Planner', skills: ['tasks'] });
    values.agentId = agent.id;
    return agent;
  },
  'get the agent': ({ agents }, { agentId }) => agents.get(agentId),
  'list agents': ({ agents }) => agents.list().toArray(),
  'read the limits': async ({ agents }) =>
    new Exact((await agents.list().page().withResponse()).response.headers.has('RateLimit')),
  'list runtimes': ({ runtimes }) => runtimes.list(),
  'update the agent': ({ agents }, { agentId }) => agents.update(agentId, { instructions: 'Be brief.' }),
  'run it': async ({ agents }, values) => {
    const run = await agents.run(values.agentId, { input });
    values.sessionId = run.session_id;
    return run;
  },
  'run an agent without waiting': async ({ agents, runs }, values) => {
    const careful = await agents.create({ name: 'Careful', skills: ['tasks'], approvals: ['create_task'] });
    values.carefulId = careful.id;
    const accepted = agents.run(careful.id, { input }, { prefer: 'respond-async' });
    const { data, response } = await accepted.withResponse();
    const [applied, location] = ['Preference-Applied', 'Location'].map((name) => response.headers.get(name));
    await runs.wait(data.id);
    return new Exact({ status: response.status, applied, isOfRun: location === `/v1/runs/${data.id}` });
  },
  'wait for a run that asks': async ({ agents, runs }, { carefulId }) => {
    const { id } = await agents.run(carefulId, { input }, { prefer: 'respond-async' });
    return new Exact((await runs.wait(id)).status);
  },
  'run an agent that asks, and approve': async ({ agents, runs }, { carefulId }) => {
    const headers = { Prefer: 'code=202, example=requires_action' };
    const run = await agents.run(carefulId, { input }, { headers });
    const calls = run.required_action?.tool_calls ?? [];
    const decisions = calls.map(({ id }) => ({ tool_call_id: id, approve: true }));
    await runs.approve(run.id, decisions);
    const { status, output } = await runs.wait(run.id);
    return new Exact({
      asked: run.status,
      calls: calls.map(({ name }) => name),
      status,
      output: output !== null,
    });
  },
  'run it as a stream': (client, { agentId }) => endsOf(client, agentId),
  'stream a run that asks': (client, { carefulId }) =>
    endsOf(client, carefulId, { Prefer: 'example=requires_action' }),
  'get its session': ({ sessions }, { sessionId }) => sessions.get(sessionId),
  'list its messages': ({ sessions }, { sessionId }) => sessions.listMessages(sessionId).toArray(),
  'list runs': ({ runs }, { agentId }) => runs.list({ agent_id: agentId }).toArray(),
  'list sessions': ({ sessions }, { agentId }) => sessions.list({ agent_id: agentId }).toArray(),
  'delete its session': ({ sessions }, { sessionId }) => sessions.delete(sessionId),
  'delete the agent': ({ agents }, { agentId }) => agents.delete(agentId),
};

/** Runs the steps. Resolves to what is seen in each. */
export async function journey(client: Client): Promise<Seen> {
  const values: Values = { ...initial, key: crypto.randomUUID() };
  const seen: Record<string, unknown> = {};
  for (const [name, act] of Object.entries(steps)) {
    seen[name] = await act(client, values).then(
      (result) => (result instanceof Exact ? result.value : shapeOf(result)),
      (error: unknown) => {
        if (error instanceof ApiError) return `${error.name} ${error.code ?? ''}`;
        throw error;
      },
    );
  }
  return seen;
}

/** Asserts that a server has done what an application expects, and has failed only where it should. */
export function expectServed(seen: Seen): void {
  const failures = Object.entries(seen).filter(
    ([, shown]) => typeof shown === 'string' && shown.includes('Error'),
  );
  expect(Object.fromEntries(failures)).toEqual({
    'get it once it is deleted': 'NotFoundError Task not found',
    'create a task without a title': 'BadRequestError VALIDATION_ERROR',
    'change it by an old version': 'PreconditionFailedError Precondition failed',
  });
  expect(seen['get it if it has changed']).toBeUndefined();
  expect(seen).toMatchObject({
    'take the assignee away and finish it': { status: 'done', isOfVersion: true },
    'comment on it': { status: 201, isInList: true },
    'run an agent without waiting': { status: 202, applied: 'respond-async', isOfRun: true },
    'wait for a run that asks': 'requires_action',
    'run an agent that asks, and approve': { asked: 'requires_action', status: 'completed' },
    'run it as a stream': ['run.started', 'run.completed'],
    'stream a run that asks': ['run.started', 'run.requires_action'],
  });
}

/** The shape of a value: the names and types of its fields. */
function shapeOf(value: unknown): unknown {
  if (value === null || value === undefined) return value;
  if (value instanceof Uint8Array) return 'bytes';
  if (Array.isArray(value)) return [...new Set(value.map((each) => JSON.stringify(shapeOf(each))))];
  if (typeof value !== 'object') return typeof value;
  const entries = Object.entries(value).map(([key, each]) => [key, shapeOf(each)] as const);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
