import { ApiError, type Client } from '../../sdk/src/index.ts';

interface Step {
  readonly name: string;
  readonly act: (client: Client, values: Values) => Promise<unknown>;
}

/** Values of earlier steps that later steps use. */
interface Values {
  taskId: string;
  etag: string;
  agentId: string;
  sessionId: string;
}

const chart = { title: 'Tasks', data: [{ label: 'todo', value: 7 }] };
const input = 'create a task titled Buy milk';

/** The calls of the journey, in order. */
const steps: readonly Step[] = [
  {
    name: 'create a task',
    act: async ({ tasks }, values) => {
      const task = { title: 'Buy milk', workspace_id: 'home', due_date: '2026-12-01', tags: 'shopping,food' };
      const { data, response } = await tasks.create(task).withResponse();
      values.taskId = data.id;
      values.etag = response.headers.get('ETag') ?? '';
      return data;
    },
  },
  { name: 'get it', act: ({ tasks }, { taskId }) => tasks.get(taskId) },
  {
    name: 'get it if it has changed',
    act: ({ tasks }, { taskId, etag }) => tasks.getIfChanged(taskId, etag),
  },
  {
    name: 'count tasks',
    act: async ({ tasks }) => {
      const { count, by_status: byStatus } = await tasks.count({ workspace_id: 'home' });
      return { count, byStatus };
    },
  },
  {
    name: 'read who calls',
    act: async (client) => {
      const { id, name, limits_per_minute: limits } = await client.me();
      return { id, name, limits };
    },
  },
  {
    name: 'list tasks',
    act: ({ tasks }) => tasks.list({ status: 'todo' }).toArray(),
  },
  {
    name: 'page of tasks',
    act: ({ tasks }) => tasks.list({ limit: 1, sort: 'title' }).page(),
  },
  {
    name: 'assign it',
    act: ({ tasks }, { taskId }) => tasks.assign(taskId, { assignee_id: 'bob', assignee_name: 'Bob' }),
  },
  {
    name: 'take the assignee away and finish it',
    act: async ({ tasks }, { taskId }) => {
      await tasks.assign(taskId, { assignee_id: null });
      return tasks.update(taskId, { status: 'done', due_date: null });
    },
  },
  {
    name: 'comment on it',
    act: ({ tasks }, { taskId }) => tasks.createComment(taskId, { body: 'Oat milk, please.' }),
  },
  {
    name: 'change many tasks',
    act: async ({ tasks }, { taskId }) => {
      const { update } = await tasks.batch({ update: [{ id: taskId, status: 'done' }] });
      return update.map(({ status, error }) => ({ status, error }));
    },
  },
  {
    name: 'change and delete a comment',
    act: async ({ tasks }, { taskId }) => {
      const { id } = await tasks.createComment(taskId, { body: 'Two litres.' });
      await tasks.updateComment(taskId, id, { body: 'One litre.' });
      return tasks.deleteComment(taskId, id);
    },
  },
  {
    name: 'list its comments',
    act: ({ tasks }, { taskId }) => tasks.listComments(taskId).toArray(),
  },
  {
    name: 'list its audit log',
    act: ({ tasks }, { taskId }) => tasks.listAuditLogs(taskId).toArray(),
  },
  { name: 'delete it', act: ({ tasks }, { taskId }) => tasks.delete(taskId) },
  {
    name: 'get it once it is deleted',
    act: ({ tasks }, { taskId }) => tasks.get(taskId),
  },
  {
    name: 'create a task without a title',
    act: ({ tasks }) => tasks.create({ title: '' }),
  },
  { name: 'ask what can be rendered', act: ({ viz }) => viz.getStatus() },
  { name: 'render an SVG', act: ({ viz }) => viz.renderSvg(chart) },
  { name: 'render a PNG', act: ({ viz }) => viz.renderPng(chart) },
  { name: 'render a PDF', act: ({ viz }) => viz.renderPdf(chart) },
  {
    name: 'create an agent',
    act: async ({ agents }, values) => {
      const agent = await agents.create({ name: 'Planner', skills: ['tasks'] });
      values.agentId = agent.id;
      return agent;
    },
  },
  { name: 'get the agent', act: ({ agents }, { agentId }) => agents.get(agentId) },
  { name: 'list agents', act: ({ agents }) => agents.list().toArray() },
  { name: 'list runtimes', act: ({ runtimes }) => runtimes.list() },
  {
    name: 'update the agent',
    act: ({ agents }, { agentId }) => agents.update(agentId, { instructions: 'Be brief.' }),
  },
  {
    name: 'run it',
    act: async ({ agents }, values) => {
      const run = await agents.run(values.agentId, { input });
      values.sessionId = run.session_id;
      return run;
    },
  },
  {
    name: 'run it as a stream',
    act: async ({ agents }, { agentId }) => {
      const events: string[] = [];
      for await (const { event } of agents.stream(agentId, { input })) events.push(event);
      return { first: events[0] === 'run.started', last: events.at(-1) === 'run.completed' };
    },
  },
  {
    name: 'get its session',
    act: ({ sessions }, { sessionId }) => sessions.get(sessionId),
  },
  {
    name: 'list its messages',
    act: ({ sessions }, { sessionId }) => sessions.listMessages(sessionId).toArray(),
  },
  {
    name: 'list runs',
    act: ({ runs }, { agentId }) => runs.list({ agent_id: agentId }).toArray(),
  },
  {
    name: 'list sessions',
    act: ({ sessions }, { agentId }) => sessions.list({ agent_id: agentId }).toArray(),
  },
  { name: 'delete its session', act: ({ sessions }, { sessionId }) => sessions.delete(sessionId) },
  { name: 'delete the agent', act: ({ agents }, { agentId }) => agents.delete(agentId) },
];

/** Runs the steps and resolves to the shape of each result. */
export async function journey(
  client: Client,
  excluded: readonly string[] = [],
): Promise<Readonly<Record<string, unknown>>> {
  const values: Values = { taskId: '', etag: '', agentId: '', sessionId: '' };
  const shapes: Record<string, unknown> = {};
  for (const { name, act } of steps) {
    if (excluded.includes(name)) continue;
    shapes[name] = await act(client, values).then(shapeOf, (error: unknown) => {
      if (error instanceof ApiError) return `${error.name} ${error.code ?? ''}`;
      throw error;
    });
  }
  return shapes;
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
