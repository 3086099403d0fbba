import { describe, expect } from 'vitest';
import type { Schemas } from '../../../server/src/contract/operation.ts';
import { createAgent, endedRun, noLimits, runAgent, startRun } from '../../support/agents.ts';
import { callsOf, decide, tasksTitled, waitingRun } from '../../support/approvals.ts';
import { startTestServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';

const server = await startTestServer({
  env: noLimits,
  changes: { agents: { stepsMax: 20, queuedMax: 8 } },
});
const alice = await server.as('alice');
const agent = await createAgent(alice, { approvals: ['create_task'] });

describe('a run that waits for a decision', () => {
  spec('decideToolCalls', 200, 'keeps later runs of its session queued, which then continue', async () => {
    const run = await waitingRun(alice, agent, 'First of three', 'queue');
    const second = await startRun(alice, agent, 'list my tasks', 'queue');
    const third = await startRun(alice, agent, 'list my tasks', 'queue');
    // When a worker has taken the next run, it could also have taken the waiting runs.
    await runAgent(alice, agent, 'list my tasks');
    const statuses = async (): Promise<string[]> =>
      Promise.all([run, second, third].map(async ({ id }) => (await alice.ok('getRun', { id })).body.status));
    expect(await statuses()).toEqual(['requires_action', 'queued', 'queued']);

    await decide(alice, run, { approve: true });

    await expect.poll(statuses).toEqual(['completed', 'completed', 'completed']);
  });

  spec('updateAgent', 200, 'still waits when its agent no longer needs approvals', async () => {
    const changed = await createAgent(alice, { approvals: ['create_task'] });
    const { body: run } = await runAgent(alice, changed, 'create a task titled Kept waiting');

    const { body } = await alice.ok('updateAgent', { id: changed.id, body: { approvals: [] } });

    expect(body.approvals).toEqual([]);
    expect((await alice.ok('getRun', { id: run.id })).body.status).toBe('requires_action');
    await decide(alice, run, { approve: false });
    expect((await endedRun(alice, run)).status).toBe('completed');
    expect(await tasksTitled(alice, 'Kept waiting')).toEqual([]);
  });

  spec('runAgent', 429, 'counts as unfinished, and the problem names the waiting runs', async () => {
    const client = await server.as('busy');
    const own = await createAgent(client, { approvals: ['*'] });
    const waiting: string[] = [];
    for (let n = 0; n < 6; n += 1) waiting.push((await runAgent(client, own, 'list my tasks')).body.id);
    // Two runs are queued behind the last of the waiting runs.
    const { session_id } = (await client.ok('getRun', { id: waiting.at(-1) ?? '' })).body;
    const behind = { input: 'list my tasks', context: { session_id } };
    const queued = { id: own.id, body: behind, headers: { Prefer: 'respond-async' } };
    const answers = await Promise.all([1, 2, 3].map(() => client.send('runAgent', queued)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 202, 429]);

    const request = { id: own.id, body: { input: 'list my tasks' } };
    const { body, headers } = await client.fails('runAgent', 429, request);

    expect(body.detail).toBe(
      'You have 8 unfinished runs, which is the limit. Waiting for your decisions: 6. Decide about the tool calls, or cancel: GET /v1/runs?status=requires_action lists these runs.',
    );
    expect(body.waiting_run_ids).toEqual(waiting.slice(0, 5));
    expect(headers.get('Retry-After')).toBe('60');
    await client.ok('cancelRun', { id: waiting[0] ?? '' });
    expect((await client.ok('runAgent', request)).status).toBe(202);
  });

  spec('decideToolCalls', 200, 'may wait for longer than the time limit of a run', async () => {
    const hasty = await startTestServer({ env: { ...noLimits, AGENT_RUN_TIMEOUT: '3s' } });
    const client = await hasty.as('alice');
    const own = await createAgent(client, { approvals: ['*'] });
    const { body: run } = await runAgent(client, own, 'create a task titled Late');
    await new Promise((resolve) => setTimeout(resolve, 3500));

    await decide(client, run, { approve: true });

    expect((await endedRun(client, run)).output).toBe('Created the task "Late".');
  });

  spec('decideToolCalls', 200, 'may wait more often than a run may be interrupted', async () => {
    const client = await server.as('patient');
    const own = await createAgent(client, { approvals: ['*'] });
    const input = Array.from({ length: 12 }, (_, n) => `create a task titled T${n}`).join('; ');
    const { body: run } = await runAgent(client, own, input);

    for (let n = 0; n < 12; n += 1) {
      const current = async (): Promise<Schemas['Run']> => (await client.ok('getRun', { id: run.id })).body;
      const title = `T${n}`;
      await expect.poll(async () => callsOf(await current())).toMatchObject([{ arguments: { title } }]);
      await decide(client, await current(), { approve: true });
    }

    expect((await endedRun(client, run)).status).toBe('completed');
    expect((await client.ok('listTasks')).body.count).toBe(12);
  });
});
