import { describe, expect } from 'vitest';
import { createAgent, finishedSession, messagesOf, runAgent } from '../../support/agents.ts';
import { spec } from '../../support/spec.ts';
import { createTask } from '../../support/tasks.ts';
import { startedRun, startWithModel } from '../../support/with-model.ts';

const later = { Prefer: 'respond-async' };

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
    const context = { session_id: 'archived' };
    const { body: queued } = await runAgent(alice, agent, 'Two', { context, headers: later });

    await alice.ok('deleteAgent', { id: agent.id });
    release();

    const session = await finishedSession(alice, 'archived');
    expect(session).toMatchObject({ agent_id: agent.id, run: { id: queued.id, status: 'completed' } });
    expect((await messagesOf(alice, 'archived')).map(({ content }) => content)).toEqual(
      expect.arrayContaining(['One', 'Two', 'Done.']),
    );
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

  spec(
    'runAgent',
    404,
    'no run is accepted once the deletion is answered, and accepted ones finish',
    async () => {
      const client = await server.as('racer');
      for (let round = 0; round < 8; round += 1) {
        const { id } = await createAgent(client);
        const request = { id, body: { input: 'list my tasks' }, headers: later };
        const start = (): Promise<{ status: number; body: unknown }> => client.send('runAgent', request);

        const [first, , ...others] = await Promise.all([
          start(),
          client.ok('deleteAgent', { id }),
          ...Array.from({ length: 4 }, start),
        ]);
        const last = await client.fails('runAgent', 404, request);

        const started = [first, ...others].filter(({ status }) => status === 202);
        expect([first, ...others].every(({ status }) => status === 202 || status === 404)).toBe(true);
        expect(last.body.code).toBe('Agent not found');
        const count = async (): Promise<number> =>
          (await client.ok('listSessions', { query: { agent_id: id, status: 'idle' } })).body.sessions.length;
        await expect.poll(count).toBe(started.length);
      }
    },
  );
});
