import { expect } from 'vitest';
import { isId } from '../../../server/src/lib/ids.ts';
import { createAgent, finishedSession, messagesOf, runAgent, startRun } from '../../support/agents.ts';
import { allPages } from '../../support/pages.ts';
import { unknownId } from '../../support/requests.ts';
import { spec } from '../../support/spec.ts';
import { createTask } from '../../support/tasks.ts';
import { startedRun, startWithModel } from '../../support/with-model.ts';

const { model, server, alice } = await startWithModel();

spec('createAgent', 200, 'needs only a name', async () => {
  const { body } = await alice.ok('createAgent', { body: { name: '  Planner ' } });

  const { id, created_at, ...rest } = body;
  expect(rest).toEqual({
    ...{ name: 'Planner', status: 'active', runtime: 'builtin', instructions: null },
    ...{ skills: [], approvals: [], model_options: {}, warnings: [] },
  });
  expect(isId(id)).toBe(true);
  expect(Math.abs(Date.parse(created_at) - Date.now())).toBeLessThan(60_000);
  expect((await alice.ok('getAgent', { id })).body).toEqual(body);
});

spec('createAgent', 200, 'keeps the fields, even unknown skills, and updateAgent accepts them', async () => {
  const agent = {
    ...{ name: 'Coder', runtime: 'gpt-99', skills: ['tasks', 'juggling'], instructions: 'Be brief.' },
    model_options: { temperature: 0.2, max_output_tokens: 2000, reasoning_effort: 'low' },
  } as const;

  const { body } = await alice.ok('createAgent', { body: { ...agent, extra: 'ignored' } });

  expect(body).toMatchObject({ ...agent, status: 'unavailable' });
  expect(body.warnings[0]).toEqual({
    code: 'unknown_runtime',
    detail: 'The runtime "gpt-99" of this agent is not configured on this server. It has: builtin, local.',
  });
  expect((await alice.ok('getAgent', { id: body.id })).body).toEqual(body);
  expect((await alice.ok('updateAgent', { id: body.id, body })).body).toEqual(body);
});

spec('updateAgent', 200, 'changes the given fields and keeps the others', async () => {
  const agent = await createAgent(alice, { instructions: 'Be brief.' });
  const { id } = agent;

  const lists = { skills: ['viz', 'viz'], approvals: ['*', 'x', 'x'] };
  const body = { name: ' Renamed ', ...lists, user_id: 'mallory' };
  const { body: updated } = await alice.ok('updateAgent', { id, body });

  const { warnings } = updated;
  expect(updated).toEqual({ ...agent, name: 'Renamed', skills: ['viz'], approvals: ['*', 'x'], warnings });
  expect((await alice.ok('getAgent', { id })).body).toEqual(updated);
});

spec('updateAgent', 200, 'replaces the options of the model, and ignores unknown ones', async () => {
  const agent = await createAgent(alice, { model_options: { temperature: 0.5, max_output_tokens: 100 } });
  const change = async (model_options: object): Promise<unknown> =>
    (await alice.ok('updateAgent', { id: agent.id, body: { model_options } })).body;

  const one = { ...agent, model_options: { temperature: 1 } };
  expect(await change({ temperature: 1, top_k: 5 })).toEqual(one);
  expect(await change({})).toEqual({ ...agent, model_options: {} });
});

spec('updateAgent', 200, 'returns an empty field to its default', async () => {
  for (const empty of [null, '']) {
    const { id } = await createAgent(alice, { runtime: 'gpt-99', instructions: 'Be brief.' });
    const body = { runtime: empty, instructions: empty, skills: [] };

    const { body: updated } = await alice.ok('updateAgent', { id, body });

    expect(updated).toMatchObject({ runtime: 'builtin', status: 'active', instructions: null, skills: [] });
  }
});

spec('updateAgent', 400, 'rejects a body without a usable field, for an agent that exists', async () => {
  const { id } = await createAgent(alice);

  for (const body of [{}, { id, status: 'active' }, { color: 'red' }])
    expect((await alice.fails('updateAgent', 400, { id, body })).body.code).toBe('No fields to update');
  await alice.fails('updateAgent', 404, { id: unknownId, body: {} });
});

spec('updateAgent', 200, 'applies to a queued run, except for the runtime', async () => {
  const agent = await createAgent(alice, { runtime: 'local', instructions: 'Old.' });
  const { release } = await startedRun({ model, alice, agent }, 'updated');
  const queued = await startRun(alice, agent, 'Two', 'updated');

  await alice.ok('updateAgent', { id: agent.id, body: { runtime: 'builtin', instructions: 'New.' } });
  release();
  const { run } = await finishedSession(alice, 'updated');

  expect(run).toMatchObject({ id: queued.id, runtime: 'local', output: 'Done.' });
  expect(model.requests.map(({ messages }) => messages[0]?.content)).toEqual([
    expect.stringContaining('Old.'),
    expect.stringContaining('New.'),
  ]);
});

spec('listAgents', 200, "has the caller's agents, newest first", async () => {
  const bob = await server.as('bob');
  const agents = [await createAgent(bob, { name: 'First' }), await createAgent(bob, { name: 'Second' })];

  const { body, headers } = await bob.ok('listAgents');
  const pages = await allPages(bob, 'listAgents', { query: { limit: 1 } });

  expect(body).toEqual({ agents: agents.toReversed() });
  expect(headers.get('Link')).toBeNull();
  expect(pages.map((page) => page.agents)).toEqual(agents.toReversed().map((agent) => [agent]));
});

spec('deleteAgent', 200, 'archives the agent: nothing finds it', async () => {
  const client = await server.as('archivist');
  const [kept, { id }] = [await createAgent(client), await createAgent(client)];

  expect((await client.ok('deleteAgent', { id: id.toUpperCase() })).body).toEqual({ id, deleted: true });

  expect((await client.ok('listAgents')).body.agents).toEqual([kept]);
  await client.fails('getAgent', 404, { id });
  await client.fails('updateAgent', 404, { id, body: { name: 'Back' } });
  await client.fails('runAgent', 404, { id, body: { input: 'Hi' } });
  await client.fails('deleteAgent', 404, { id });
  const { id: taskId } = await createTask(client);
  const body = { assignee_type: 'agent', assignee_id: id };
  expect((await client.ok('assignTask', { id: taskId, body })).body.assignee_name).toBeNull();
});

spec('deleteAgent', 200, 'leaves its sessions and keys, and its unfinished runs continue', async () => {
  const agent = await createAgent(alice, { runtime: 'local' });
  const headers = { 'Idempotency-Key': 'before the deletion' };
  const { run, release } = await startedRun({ model, alice, agent }, 'archived', headers);
  const queued = await startRun(alice, agent, 'Two', 'archived');

  await alice.ok('deleteAgent', { id: agent.id });
  release();

  const session = await finishedSession(alice, 'archived');
  expect(session).toMatchObject({ agent_id: agent.id, run: { id: queued.id, status: 'completed' } });
  const contents = (await messagesOf(alice, 'archived')).map(({ content }) => content);
  expect(contents).toEqual(expect.arrayContaining(['One', 'Two', 'Done.']));
  const { sessions } = (await alice.ok('listSessions', { query: { agent_id: agent.id } })).body;
  expect(sessions.map(({ id }) => id)).toEqual(['archived']);
  const context = { session_id: 'archived' };
  expect((await runAgent(alice, agent, 'One', { context, headers })).body.id).toBe(run.id);
});

spec('runAgent', 404, 'an agent accepts no run once it is deleted, and accepted runs finish', async () => {
  const client = await server.as('racer');
  for (let round = 0; round < 8; round += 1) {
    const { id } = await createAgent(client);
    const request = { id, body: { input: 'list my tasks' }, headers: { Prefer: 'respond-async' } };
    const start = async (): Promise<number> => (await client.send('runAgent', request)).status;

    const first = start();
    const deletion = client.ok('deleteAgent', { id });
    const statuses = await Promise.all([first, ...Array.from({ length: 4 }, start)]);
    await deletion;
    const last = await client.fails('runAgent', 404, request);

    const started = statuses.filter((status) => status === 202);
    expect([202, 404]).toEqual(expect.arrayContaining(statuses));
    expect(last.body.code).toBe('Agent not found');
    const count = async (): Promise<number> =>
      (await client.ok('listSessions', { query: { agent_id: id, status: 'idle' } })).body.sessions.length;
    await expect.poll(count).toBe(started.length);
  }
});

spec('assignTask', 200, 'uses the given name, or else the name of the caller’s agent', async () => {
  const { id: planner } = await createAgent(alice, { name: 'Planner' });
  const nameFor = async (client: typeof alice, assignee_id: string, fields: object = {}) => {
    const { id } = await createTask(client);
    const body = { assignee_type: 'agent', assignee_id, ...fields };
    return (await client.ok('assignTask', { id, body })).body.assignee_name;
  };

  expect(await nameFor(alice, planner)).toBe('Planner');
  expect(await nameFor(alice, planner, { assignee_name: 'My planner' })).toBe('My planner');
  expect(await nameFor(await server.as('mallory'), planner)).toBeNull();
  for (const unknown of ['nowhere', unknownId]) expect(await nameFor(alice, unknown)).toBeNull();
});
