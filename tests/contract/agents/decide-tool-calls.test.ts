import { describe, expect } from 'vitest';
import { createAgent, endedRun, messagesOf, runAgent, streamRun, toolResults } from '../../support/agents.ts';
import {
  callsOf,
  decide,
  decisionsAbout,
  refusedAt,
  tasksTitled,
  waitingRun,
} from '../../support/approvals.ts';
import { textResponse, toolCallsResponse } from '../../support/model-server.ts';
import { spec } from '../../support/spec.ts';
import { startWithModel } from '../../support/with-model.ts';

// With one worker, other runs are executed only if runs that wait for decisions occupy no worker.
const { model, alice } = await startWithModel({ AGENT_CONCURRENCY: '1' });
const agent = await createAgent(alice, { approvals: ['create_task'] });

describe('a call that needs an approval', () => {
  spec('runAgent', 202, 'pauses the run before it takes effect, and the run lists it', async () => {
    const context = { session_id: 'paused' };
    const answer = await runAgent(alice, agent, 'create a task titled Paused', { context });

    const { status, body, headers } = answer;
    expect([status, body.status]).toEqual([202, 'requires_action']);
    expect(callsOf(body)).toMatchObject([{ name: 'create_task', arguments: { title: 'Paused' } }]);
    expect(headers.get('Location')).toBe(`/v1/runs/${body.id}`);
    expect((await alice.ok('getRun', { id: body.id })).body).toEqual(body);
    const { body: session } = await alice.ok('getSession', { id: 'paused' });
    expect(session).toMatchObject({ status: 'requires_action', run: body });
    expect((await messagesOf(alice, 'paused')).map(({ role }) => role)).toEqual(['user', 'assistant']);
    expect(await tasksTitled(alice, 'Paused')).toEqual([]);
  });

  spec('runAgent', 202, 'holds no worker, and a repetition does not continue it', async () => {
    const headers = { 'Idempotency-Key': 'paused' };
    const { body: first } = await runAgent(alice, agent, 'create a task titled Held', { headers });

    expect((await runAgent(alice, agent, 'list my tasks')).body.status).toBe('completed');
    const repeated = await runAgent(alice, agent, 'create a task titled Held', { headers });
    const streamed = await streamRun(alice, agent, 'create a task titled Held', { headers });

    expect([repeated.status, repeated.body]).toEqual([202, first]);
    expect(streamed.at(-1)).toEqual({ event: 'run.requires_action', data: first });
  });
});

spec('decideToolCalls', 200, 'gives a rejected call a result with the reason, by the user', async () => {
  const run = await waitingRun(alice, agent, 'Rejected');

  await decide(alice, run, { approve: false, reason: 'Not today.' });

  expect((await endedRun(alice, run)).status).toBe('completed');
  expect(await toolResults(alice, 'Rejected')).toMatchObject([
    {
      content: 'The user rejected this call. Reason: Not today.',
      ...{ is_error: true, tool_call_id: callsOf(run)[0]?.id, actor_type: 'human', actor_id: 'alice' },
    },
  ]);
  expect(await tasksTitled(alice, 'Rejected')).toEqual([]);
});

spec('decideToolCalls', 200, 'waits until all calls are decided, and keeps their order', async () => {
  const local = await createAgent(alice, { runtime: 'local', approvals: ['create_task'] });
  const [first, last] = [{ title: 'Ordered one' }, { title: 'Ordered two' }];
  const list = ['list_tasks', { q: 'Ordered' }] as const;
  model.respondWith(
    toolCallsResponse(['create_task', first], list, ['create_task', last]),
    textResponse('Done.'),
  );
  const { body: run } = await runAgent(alice, local, 'Hi', { context: { session_id: 'ordered' } });
  const [one, two] = callsOf(run);
  expect([one?.arguments, two?.arguments]).toEqual([first, last]);

  const decisions = [{ tool_call_id: two?.id, approve: true }];
  const { body: partly } = await alice.ok('decideToolCalls', { id: run.id, body: { decisions } });
  expect(partly).toMatchObject({ status: 'requires_action', required_action: { tool_calls: [one] } });
  expect(await tasksTitled(alice, 'Ordered')).toEqual([]);
  await decide(alice, partly, { approve: true });

  const usage = { input_tokens: 20, output_tokens: 10 };
  expect(await endedRun(alice, run)).toMatchObject({ status: 'completed', usage });
  const results = await toolResults(alice, 'ordered');
  expect(results.map(({ tool_call_id: id }) => id?.slice(-1))).toEqual(['1', '2', '3']);
  expect(JSON.parse(results[1]?.content ?? '')).toMatchObject({ count: 1 });
});

spec('decideToolCalls', 200, 'lets the run continue once, even if repeated after it has ended', async () => {
  const run = await waitingRun(alice, agent, 'Repeated');
  const decided = await decide(alice, run, { approve: true });
  await decide(alice, run, { approve: true });
  const ended = await endedRun(alice, run);

  expect(decided).toMatchObject({ id: run.id, required_action: null });
  expect(['queued', 'running', 'completed']).toContain(decided.status);
  expect(ended).toMatchObject({ status: 'completed', output: 'Created the task "Repeated".' });
  expect(await decide(alice, run, { approve: true })).toEqual(ended);
  expect(await tasksTitled(alice, 'Repeated')).toHaveLength(1);
});

spec('decideToolCalls', 400, 'rejects unknown calls, and decides nothing', async () => {
  const run = await waitingRun(alice, agent, 'Unknown');
  const ids = [callsOf(run)[0]?.id, 'unknown', '__proto__'];

  const pointers = await refusedAt(
    alice,
    run,
    ...ids.map((tool_call_id) => ({ tool_call_id, approve: true })),
  );

  expect(pointers).toEqual(['/decisions/1/tool_call_id', '/decisions/2/tool_call_id']);
  expect((await alice.ok('getRun', { id: run.id })).body).toEqual(run);
});

spec('decideToolCalls', 400, 'rejects a decision that contradicts another one', async () => {
  const run = await waitingRun(alice, agent, 'Contradicted');
  const [{ id: tool_call_id } = { id: '' }] = callsOf(run);
  const [approval, rejection] = [true, false].map((approve) => ({ tool_call_id, approve }));

  expect(await refusedAt(alice, run, { ...rejection }, { ...approval })).toEqual(['/decisions/1/approve']);
  await decide(alice, run, { approve: true });
  expect(await refusedAt(alice, run, { ...rejection })).toEqual(['/decisions/0/approve']);

  expect((await endedRun(alice, run)).output).toBe('Created the task "Contradicted".');
});

spec('decideToolCalls', 400, 'rejects decisions for a run that was cancelled while it waited', async () => {
  const run = await waitingRun(alice, agent, 'Over');
  const { body: cancelled } = await alice.ok('cancelRun', { id: run.id });
  expect(cancelled).toMatchObject({ status: 'cancelled', required_action: null });
  const call = { is_error: true, tool_call_id: callsOf(run)[0]?.id };
  expect(await toolResults(alice, 'Over')).toMatchObject([call]);

  const request = decisionsAbout(run, { approve: true });
  const { body } = await alice.fails('decideToolCalls', 400, request);

  expect(body.errors?.[0]?.detail).toBe(
    'Tool call id of item 1 of decisions must be the id of a call that waits for a decision; the run lists those in required_action.',
  );
  expect(await tasksTitled(alice, 'Over')).toEqual([]);
  const context = { session_id: 'Over' };
  expect((await runAgent(alice, agent, 'list my tasks', { context })).body.status).toBe('completed');
});
