import { describe, expect } from 'vitest';
import { createAgent, endedRun, messagesOf, runAgent } from '../../support/agents.ts';
import { callsOf, decide, tasksTitled, waitingRun } from '../../support/approvals.ts';
import { textResponse, toolCallsResponse } from '../../support/model-server.ts';
import { unknownId } from '../../support/requests.ts';
import { spec } from '../../support/spec.ts';
import { startWithModel } from '../../support/with-model.ts';

const { model, server, alice } = await startWithModel();
const agent = await createAgent(alice, { approvals: ['create_task'] });

describe('decideToolCalls', () => {
  spec('decideToolCalls', 200, 'lets the run continue, and the audit log names who approved', async () => {
    const run = await waitingRun(alice, agent, 'Approved');

    const decided = await decide(alice, run, { approve: true });

    expect(decided).toMatchObject({ id: run.id, required_action: null });
    expect(['queued', 'running', 'completed']).toContain(decided.status);
    expect(await endedRun(alice, run)).toMatchObject({
      status: 'completed',
      output: 'Created the task "Approved".',
    });
    const [task] = await tasksTitled(alice, 'Approved');
    const [entry] = (await alice.ok('listAuditLogs', { id: task?.id ?? '' })).body;
    expect(entry).toMatchObject({ action: 'create', actor_type: 'agent', actor_id: agent.id });
    expect(JSON.parse(entry?.payload ?? '')).toMatchObject({ on_behalf_of: 'alice', approved_by: 'alice' });
  });

  spec(
    'decideToolCalls',
    200,
    'gives a rejected call a result with the reason, in the name of the user',
    async () => {
      const run = await waitingRun(alice, agent, 'Rejected');

      await decide(alice, run, { approve: false, reason: 'Not today.' });

      expect((await endedRun(alice, run)).status).toBe('completed');
      const result = (await messagesOf(alice, 'Rejected')).find(({ role }) => role === 'tool');
      expect(result).toMatchObject({
        content: 'The user rejected this call. Reason: Not today.',
        ...{ is_error: true, tool_call_id: callsOf(run)[0]?.id, actor_type: 'human', actor_id: 'alice' },
      });
      expect(await tasksTitled(alice, 'Rejected')).toEqual([]);
    },
  );

  spec(
    'decideToolCalls',
    200,
    'waits until every call is decided, and keeps the order of the calls',
    async () => {
      const local = await createAgent(alice, { runtime: 'local', approvals: ['create_task'] });
      model.respondWith(
        toolCallsResponse(
          ['create_task', { title: 'Ordered one' }],
          ['list_tasks', { q: 'Ordered' }],
          ['create_task', { title: 'Ordered two' }],
        ),
        textResponse('Done.'),
      );
      const { body: run } = await runAgent(alice, local, 'Hi', { context: { session_id: 'ordered' } });
      const [one, two] = callsOf(run);
      expect([one?.arguments, two?.arguments]).toEqual([{ title: 'Ordered one' }, { title: 'Ordered two' }]);

      const decisions = [{ tool_call_id: two?.id, approve: true }];
      const { body: partly } = await alice.ok('decideToolCalls', { id: run.id, body: { decisions } });
      expect(partly).toMatchObject({ status: 'requires_action', required_action: { tool_calls: [one] } });
      expect(await tasksTitled(alice, 'Ordered')).toEqual([]);
      await decide(alice, partly, { approve: true });

      expect(await endedRun(alice, run)).toMatchObject({
        status: 'completed',
        usage: { input_tokens: 20, output_tokens: 10 },
      });
      const tools = (await messagesOf(alice, 'ordered')).filter(({ role }) => role === 'tool');
      expect(tools.map(({ tool_call_id: id }) => id?.slice(-1))).toEqual(['1', '2', '3']);
      expect(JSON.parse(tools[1]?.content ?? '')).toMatchObject({ count: 1 });
    },
  );

  spec('decideToolCalls', 200, 'ignores a repetition, also after the run has ended', async () => {
    const run = await waitingRun(alice, agent, 'Repeated');
    await decide(alice, run, { approve: true });
    await decide(alice, run, { approve: true });
    const ended = await endedRun(alice, run);

    expect(await decide(alice, run, { approve: true })).toEqual(ended);
    expect(await tasksTitled(alice, 'Repeated')).toHaveLength(1);
  });

  spec(
    'decideToolCalls',
    400,
    'rejects a decision about a call that does not wait, and decides nothing',
    async () => {
      const run = await waitingRun(alice, agent, 'Unknown');
      const [call] = callsOf(run);
      const decisions = [
        { tool_call_id: call?.id, approve: true },
        { tool_call_id: 'unknown', approve: true },
        { tool_call_id: '__proto__', approve: false },
      ];

      const { body } = await alice.fails('decideToolCalls', 400, { id: run.id, body: { decisions } });

      expect(body.errors?.map(({ pointer }) => pointer)).toEqual([
        '/decisions/1/tool_call_id',
        '/decisions/2/tool_call_id',
      ]);
      expect((await alice.ok('getRun', { id: run.id })).body).toEqual(run);
    },
  );

  spec('decideToolCalls', 400, 'rejects a request without a decision', async () => {
    const { body } = await alice.fails('decideToolCalls', 400, { id: unknownId, body: { decisions: [] } });

    expect(body.errors).toEqual([
      { pointer: '/decisions', code: 'too_small', detail: 'Decisions must not have fewer than 1 item.' },
    ]);
  });

  spec('decideToolCalls', 400, 'rejects a decision that contradicts another one', async () => {
    const run = await waitingRun(alice, agent, 'Contradicted');
    const [{ id: tool_call_id } = { id: '' }] = callsOf(run);
    const both = [
      { tool_call_id, approve: false },
      { tool_call_id, approve: true },
    ];
    const within = await alice.fails('decideToolCalls', 400, { id: run.id, body: { decisions: both } });
    await decide(alice, run, { approve: true });
    const after = await alice.fails('decideToolCalls', 400, {
      id: run.id,
      body: { decisions: both.slice(0, 1) },
    });

    expect(within.body.errors?.map(({ pointer }) => pointer)).toEqual(['/decisions/1/approve']);
    expect(after.body.errors?.map(({ pointer }) => pointer)).toEqual(['/decisions/0/approve']);
    expect((await endedRun(alice, run)).output).toBe('Created the task "Contradicted".');
  });

  spec('decideToolCalls', 400, 'rejects decisions for a run that has ended', async () => {
    const run = await waitingRun(alice, agent, 'Over');
    await alice.ok('cancelRun', { id: run.id });
    const decisions = [{ tool_call_id: callsOf(run)[0]?.id, approve: true }];

    const { body } = await alice.fails('decideToolCalls', 400, { id: run.id, body: { decisions } });

    expect(body.errors?.[0]?.detail).toBe(
      'Tool call id of item 1 of decisions must be the id of a call that waits for a decision; the run lists those in required_action.',
    );
    expect(await tasksTitled(alice, 'Over')).toEqual([]);
  });

  spec('decideToolCalls', 404, 'does not find a run of another user, nor any other id', async () => {
    const run = await waitingRun(alice, agent, 'Private');
    const mallory = await server.as('mallory');
    const body = { decisions: [{ tool_call_id: callsOf(run)[0]?.id, approve: true }] };

    for (const id of [run.id, unknownId, 'none'])
      expect((await mallory.fails('decideToolCalls', 404, { id, body })).body.code).toBe('Run not found');

    expect((await alice.ok('getRun', { id: run.id })).body).toEqual(run);
  });

  spec('decideToolCalls', 413, 'rejects a body above 1 MiB', async () => {
    const decisions = [{ tool_call_id: 'x', approve: true, reason: 'x'.repeat(1024 * 1024) }];
    await alice.fails('decideToolCalls', 413, { id: unknownId, body: { decisions } });
  });

  spec('decideToolCalls', 415, 'rejects a body that is not JSON', async () => {
    const headers = { 'Content-Type': 'text/plain' };
    await alice.fails('decideToolCalls', 415, { id: unknownId, body: 'yes', headers });
  });
});

describe.each([
  [{}, '/decisions'],
  [{ decisions: [] }, '/decisions'],
  [{ decisions: [{ approve: true }] }, '/decisions/0/tool_call_id'],
  [{ decisions: [{ tool_call_id: 'x' }] }, '/decisions/0/approve'],
  [{ decisions: [{ tool_call_id: 'x', approve: 'yes' }] }, '/decisions/0/approve'],
  [{ decisions: [{ tool_call_id: 'x', approve: false, reason: 'a\0b' }] }, '/decisions/0/reason'],
])('the body %j', (body, pointer) => {
  spec('decideToolCalls', 400, `is rejected: ${pointer}`, async () => {
    const { body: problem } = await alice.fails('decideToolCalls', 400, { id: unknownId, body });

    expect(problem.errors?.map((error) => error.pointer)).toEqual([pointer]);
  });
});
