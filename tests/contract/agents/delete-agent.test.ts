import { describe, expect } from 'vitest';
import { createAgent, finishedSession, messagesOf, runAgent, startRun } from '../../support/agents.ts';
import { spec } from '../../support/spec.ts';
import { createTask } from '../../support/tasks.ts';
import { startedRun, startWithModel } from '../../support/with-model.ts';

const { model, server, alice } = await startWithModel();

describe('deleteAgent', () => {
  spec('deleteAgent', 200, 'archives the agent: nothing finds it any more', async () => {
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

  spec('deleteAgent', 200, 'leaves its sessions readable, and its unfinished runs continue', async () => {
    const agent = await createAgent(alice, { runtime: 'local' });
    const { release } = await startedRun({ model, alice, agent }, 'archived');
    const queued = await startRun(alice, agent, 'Two', 'archived');

    await alice.ok('deleteAgent', { id: agent.id });
    release();

    const session = await finishedSession(alice, 'archived');
    expect(session).toMatchObject({ agent_id: agent.id, run: { id: queued.id, status: 'completed' } });
    const contents = (await messagesOf(alice, 'archived')).map(({ content }) => content);
    expect(contents).toEqual(expect.arrayContaining(['One', 'Two', 'Done.']));
    const { sessions } = (await alice.ok('listSessions', { query: { agent_id: agent.id } })).body;
    expect(sessions.map(({ id }) => id)).toEqual(['archived']);
  });

  spec('runAgent', 200, 'a repetition of a run returns that run after its agent was deleted', async () => {
    const agent = await createAgent(alice);
    const headers = { 'Idempotency-Key': 'before the deletion' };
    const { body: run } = await runAgent(alice, agent, 'list my tasks', { headers });
    await alice.ok('deleteAgent', { id: agent.id });

    expect((await runAgent(alice, agent, 'list my tasks', { headers })).body).toEqual(run);
  });

  spec('runAgent', 404, 'accepts no run once it is answered, and accepted runs finish', async () => {
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
});
