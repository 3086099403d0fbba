import { ApiError, type Client } from '../../sdk/src/index.ts';

/** Values from earlier steps. */
interface Values {
  taskId: string;
  etag: string;
  agentId: string;
  sessionId: string;
}

const chart = { title: 'Tasks', data: [{ label: 'todo', value: 7 }] };
const input = 'create a task titled Buy milk';

type Act = (client: Client, values: Values) => Promise<unknown>;

/** The calls of the journey, in order. */
const steps: Readonly<Record<string, Act>> = {
  'create a task': async ({ tasks }, values) => {
    const task = { title: 'Buy milk', workspace_id: 'home', due_date: '2026-12-01', tags: 'shopping,food' };
    const { data, response } = await tasks.create(task).withResponse();
    values.taskId = data.id;
    values.etag = response.headers.get('ETag') ?? '';
    return data;
  },
  'get it': ({ tasks }, { taskId }) => tasks.get(taskId),
  'get it if it has changed': ({ tasks }, { taskId, etag }) => tasks.getIfChanged(taskId, etag),
  'count tasks': async ({ tasks }) => {
    const { count, by_status: byStatus } = await tasks.count({ workspace_id: 'home' });
    return { count, byStatus };
  },
  'read who calls': async (client) => {
    const { id, name, limits_per_minute: limits } = await client.me();
    return { id, name, limits };
  },
  'list tasks': ({ tasks }) => tasks.list({ status: 'todo' }).toArray(),
  'page of tasks': ({ tasks }) => tasks.list({ limit: 1, sort: 'title' }).page(),
  'assign it': ({ tasks }, { taskId }) => tasks.assign(taskId, { assignee_id: 'bob', assignee_name: 'Bob' }),
  'take the assignee away and finish it': async ({ tasks }, { taskId }) => {
    await tasks.assign(taskId, { assignee_id: null });
    return tasks.update(taskId, { status: 'done', due_date: null });
  },
  'comment on it': ({ tasks }, { taskId }) => tasks.createComment(taskId, { body: 'Oat milk, please.' }),
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
  'make the address of a chart': ({ viz }) => viz.link({ chart }),
  'create an agent': async ({ agents }, values) => {
    const agent = await agents.create({ name: 'Planner', skills: ['tasks'] });
    values.agentId = agent.id;
    return agent;
  },
  'get the agent': ({ agents }, { agentId }) => agents.get(agentId),
  'list agents': ({ agents }) => agents.list().toArray(),
  'list runtimes': ({ runtimes }) => runtimes.list(),
  'update the agent': ({ agents }, { agentId }) => agents.update(agentId, { instructions: 'Be brief.' }),
  'run it': async ({ agents }, values) => {
    const run = await agents.run(values.agentId, { input });
    values.sessionId = run.session_id;
    return run;
  },
  'run it as a stream': async ({ agents }, { agentId }) => {
    const events: string[] = [];
    for await (const { event } of agents.stream(agentId, { input })) events.push(event);
    return { first: events[0] === 'run.started', last: events.at(-1) === 'run.completed' };
  },
  'get its session': ({ sessions }, { sessionId }) => sessions.get(sessionId),
  'list its messages': ({ sessions }, { sessionId }) => sessions.listMessages(sessionId).toArray(),
  'list runs': ({ runs }, { agentId }) => runs.list({ agent_id: agentId }).toArray(),
  'list sessions': ({ sessions }, { agentId }) => sessions.list({ agent_id: agentId }).toArray(),
  'delete its session': ({ sessions }, { sessionId }) => sessions.delete(sessionId),
  'delete the agent': ({ agents }, { agentId }) => agents.delete(agentId),
};

/** Runs the steps. Resolves to the shape of each result. */
export async function journey(client: Client): Promise<Readonly<Record<string, unknown>>> {
  const values: Values = { taskId: '', etag: '', agentId: '', sessionId: '' };
  const shapes: Record<string, unknown> = {};
  for (const [name, act] of Object.entries(steps)) {
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
