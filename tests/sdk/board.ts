import { createHash } from 'node:crypto';
import { ApiError, type Client } from '../../sdk/src/index.ts';

/** What an application reads in each step, without ids and times. */
export type Seen = Record<string, unknown>;

type See = (step: string, act: () => Promise<unknown>) => Promise<void>;

/** Goes through the steps of an application with a board, a chart and an assistant. */
export async function useBoard(client: Client): Promise<Seen> {
  const seen: Seen = {};
  const see: See = async (step, act) => {
    seen[step] = await act().catch((error: unknown) => {
      if (error instanceof ApiError) return `${error.name} ${error.code ?? ''}`;
      throw error;
    });
  };
  await moveTask(client, see);
  await drawChart(client, see);
  await runAgents(client, see);
  return seen;
}

async function moveTask({ tasks }: Client, see: See): Promise<void> {
  const draft = { title: 'Buy milk', workspace_id: crypto.randomUUID() };
  const { next, changes } = await tasks.listChanges({ after: 'now' });
  const { id, etag } = await tasks.create(draft, { idempotencyKey: draft.workspace_id });
  await see('list the changes after now', () => Promise.resolve(changes.length));
  await see('create the task again under its key', async () => {
    const again = tasks.create(draft, { idempotencyKey: draft.workspace_id });
    return (await again.withResponse()).response.headers.get('Idempotency-Replayed');
  });
  await see('list the tasks of its workspace', async () => {
    const all = await tasks.list({ workspace_id: draft.workspace_id }).toArray();
    return all.map(({ title, status }) => ({ title, status }));
  });
  await see('list the tasks of another workspace', async () => {
    return (await tasks.list({ workspace_id: 'none' }).toArray()).length;
  });
  await see('move it', async () => {
    const { data, response } = await tasks.update(id, { status: 'done' }, { ifMatch: etag }).withResponse();
    const isOfVersion = response.headers.get('ETag') === data.etag && data.etag !== etag;
    return { status: data.status, isOfVersion };
  });
  const conflict = { ifMatch: etag, headers: { Prefer: 'code=412' } };
  await see('move it by an old version', () => tasks.update(id, { status: 'todo' }, conflict));
  await see('comment on it', async () => {
    const { data, response } = await tasks.createComment(id, { body: 'Oat milk, please.' }).withResponse();
    const isInList = response.headers.get('Location') === `/api/tasks/${data.task_id}/comments`;
    return { body: data.body, status: response.status, isInList };
  });
  await see('follow its changes', async () => {
    const states: string[] = [];
    const following = tasks.changes({ after: next }, { onState: ({ state }) => states.push(state) });
    for await (const { action } of following) if (action === 'update') return states;
    return 'ended';
  });
}

async function drawChart({ viz }: Client, see: See): Promise<void> {
  const chart = { title: 'Tasks', data: [{ label: 'todo', value: 7 }], theme: 'dark' } as const;
  await see('draw a dark chart', async () => {
    const { svg } = await viz.renderSvg(chart);
    const { bytes } = await viz.renderPng(chart);
    return createHash('sha256').update(svg).update(bytes).digest('hex');
  });
}

async function runAgents({ agents, runs }: Client, see: See): Promise<void> {
  const request = { input: 'create a task titled Buy milk' };
  const { id } = await agents.create({ name: 'Planner', skills: ['tasks'] });
  const careful = await agents.create({ name: 'Careful', skills: ['tasks'], approvals: ['create_task'] });
  await see('read the limits', async () => {
    return (await agents.list().page().withResponse()).response.headers.has('RateLimit');
  });
  await see('run an agent', async () => (await agents.run(id, request)).status);
  await see('run an agent without waiting', async () => {
    const accepted = agents.run(careful.id, request, { prefer: 'respond-async' });
    const { data, response } = await accepted.withResponse();
    const [applied, location] = ['Preference-Applied', 'Location'].map((name) => response.headers.get(name));
    const seen = { status: response.status, applied, isOfRun: location === `/v1/runs/${data.id}` };
    await see('wait for a run that asks', async () => (await runs.wait(data.id)).status);
    return seen;
  });
  await see('run an agent that asks, and approve', async () => {
    const headers = { Prefer: 'code=202, example=requires_action' };
    const run = await agents.run(careful.id, request, { headers });
    const calls = run.required_action?.tool_calls ?? [];
    await runs.approve(
      run.id,
      calls.map((call) => ({ tool_call_id: call.id, approve: true })),
    );
    const { status, output } = await runs.wait(run.id);
    return { asked: run.status, calls: calls.map(({ name }) => name), status, hasOutput: output !== null };
  });
  const eventsOf = async (agentId: string, headers = {}): Promise<unknown> => {
    const events: string[] = [];
    for await (const { event } of agents.stream(agentId, request, { headers })) events.push(event);
    return [events[0], events.at(-1)];
  };
  await see('stream a run', () => eventsOf(id));
  await see('stream a run that asks', () => eventsOf(careful.id, { Prefer: 'example=requires_action' }));
}
