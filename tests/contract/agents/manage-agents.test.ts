import { describe, expect } from 'vitest';
import { createAgent, finishedSession, runAgent } from '../../support/agents.ts';
import { unknownId } from '../../support/requests.ts';
import { spec } from '../../support/spec.ts';
import { startedRun, startWithModel } from '../../support/with-model.ts';

const later = { Prefer: 'respond-async' };

const { model, server, alice } = await startWithModel();

describe('getAgent', () => {
  spec('getAgent', 200, 'returns the agent as it was created', async () => {
    const agent = await createAgent(alice, { instructions: 'Be brief.' });

    expect((await alice.ok('getAgent', { id: agent.id })).body).toEqual(agent);
  });
});

describe.each([
  ['getAgent', {}],
  ['updateAgent', { body: { name: 'Stolen' } }],
  ['deleteAgent', {}],
] as const)('%s', (operation, input) => {
  spec(operation, 404, 'does not find an agent of another user, nor any other id', async () => {
    const agent = await createAgent(alice);
    const mallory = await server.as('mallory');

    for (const id of [agent.id, unknownId, 'none', '%00'])
      expect((await mallory.fails(operation, 404, { id, ...input })).body.code).toBe('Agent not found');

    expect((await alice.ok('getAgent', { id: agent.id })).body).toEqual(agent);
  });

  spec(operation, 400, 'rejects any query parameter', async () => {
    await alice.fails(operation, 400, { id: unknownId, query: 'force=true', ...input });
  });
});

describe('updateAgent', () => {
  spec('updateAgent', 200, 'changes the given fields and keeps the others', async () => {
    const agent = await createAgent(alice, { instructions: 'Be brief.' });

    const { body } = await alice.ok('updateAgent', {
      id: agent.id,
      body: { name: ' Renamed ', skills: ['viz', 'viz'], user_id: 'mallory' },
    });

    expect(body).toEqual({ ...agent, name: 'Renamed', skills: ['viz'] });
    expect((await alice.ok('getAgent', { id: agent.id })).body).toEqual(body);
  });

  spec('updateAgent', 200, 'replaces the options of the model, and ignores unknown ones', async () => {
    const agent = await createAgent(alice, { model_options: { temperature: 0.5, max_output_tokens: 100 } });
    const model_options = { temperature: 1, top_k: 5 };

    const { body } = await alice.ok('updateAgent', { id: agent.id, body: { model_options } });
    const cleared = await alice.ok('updateAgent', { id: agent.id, body: { model_options: {} } });

    expect(body).toEqual({ ...agent, model_options: { temperature: 1 } });
    expect(cleared.body).toEqual({ ...agent, model_options: {} });
  });

  spec('updateAgent', 200, 'takes a fetched agent as it is', async () => {
    const model_options = { temperature: 0, reasoning_effort: 'high' } as const;
    const agent = await createAgent(alice, {
      ...{ runtime: 'gpt-99', instructions: 'Be brief.' },
      model_options,
    });

    expect((await alice.ok('updateAgent', { id: agent.id, body: agent })).body).toEqual(agent);
  });

  spec('updateAgent', 200, 'returns an empty field to its default', async () => {
    for (const empty of [null, '']) {
      const agent = await createAgent(alice, { runtime: 'gpt-99', instructions: 'Be brief.' });
      const body = { runtime: empty, instructions: empty, skills: [] };

      const { body: updated } = await alice.ok('updateAgent', { id: agent.id, body });

      expect(updated).toMatchObject({ runtime: 'builtin', status: 'active', instructions: null, skills: [] });
    }
  });

  spec(
    'updateAgent',
    400,
    'rejects a body without a usable field, but only for an agent that exists',
    async () => {
      const { id } = await createAgent(alice);

      for (const body of [{}, { id, status: 'active' }, { color: 'red' }])
        expect((await alice.fails('updateAgent', 400, { id, body })).body.code).toBe('No fields to update');
      await alice.fails('updateAgent', 404, { id: unknownId, body: {} });
    },
  );

  spec('updateAgent', 400, 'names every field that is not valid, and changes nothing', async () => {
    const agent = await createAgent(alice);
    const body = { name: null, skills: ['', 5], instructions: 7, runtime: 5 };

    const { body: problem } = await alice.fails('updateAgent', 400, { id: agent.id, body });

    expect(problem.errors?.map(({ pointer }) => pointer).toSorted()).toEqual([
      '/instructions',
      '/name',
      '/runtime',
      '/skills/0',
      '/skills/1',
    ]);
    expect((await alice.ok('getAgent', { id: agent.id })).body).toEqual(agent);
  });

  spec('updateAgent', 413, 'rejects a body above 1 MiB', async () => {
    await alice.fails('updateAgent', 413, { id: unknownId, body: { name: 'x'.repeat(1024 * 1024) } });
  });

  spec('updateAgent', 415, 'rejects a body that is not JSON', async () => {
    const headers = { 'Content-Type': 'text/plain' };
    await alice.fails('updateAgent', 415, { id: unknownId, body: 'name=x', headers });
  });

  spec(
    'updateAgent',
    200,
    'applies to a queued run, except for the runtime it was started with',
    async () => {
      const agent = await createAgent(alice, { runtime: 'local', instructions: 'Old.' });
      const { release } = await startedRun({ model, alice, agent }, 'updated');
      const context = { session_id: 'updated' };
      const { body: queued } = await runAgent(alice, agent, 'Two', { context, headers: later });

      await alice.ok('updateAgent', { id: agent.id, body: { runtime: 'builtin', instructions: 'New.' } });
      release();
      const { run } = await finishedSession(alice, 'updated');

      expect(run).toMatchObject({ id: queued.id, runtime: 'local', output: 'Done.' });
      expect(model.requests.map(({ messages }) => messages[0]?.content)).toEqual([
        expect.stringContaining('Old.'),
        expect.stringContaining('New.'),
      ]);
    },
  );
});
