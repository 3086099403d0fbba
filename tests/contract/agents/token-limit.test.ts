import { describe, expect, it } from 'vitest';
import { createAgent, endedRun, noLimits, runAgent } from '../../support/agents.ts';
import { metricOf } from '../../support/metrics.ts';
import {
  chunksResponse,
  errorResponse,
  modelEnv,
  textResponse,
  toolCallResponse,
} from '../../support/model-server.ts';
import { run } from '../../support/postgres.ts';
import { isShareable, startTestServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';
import { startedRun, startWithModel, type WithModel } from '../../support/with-model.ts';
import { writingRun } from '../../support/writing-model.ts';

/** Each response of the model has 15 tokens. */
function start(tokens: string): Promise<WithModel> {
  return startWithModel({ AGENT_TOKENS_PER_USER: tokens });
}

spec('runAgent', 429, 'a run of a model is refused once the user has used the tokens of a day', async () => {
  const { model, server, alice, agent } = await start('20');
  model.respondWith(textResponse('Hello.'));
  const headers = { 'Idempotency-Key': 'second' };
  await runAgent(alice, agent, 'One');
  const { body: second } = await runAgent(alice, agent, 'Two', { headers });

  const { body, headers: refused } = await alice.fails('runAgent', 429, {
    id: agent.id,
    body: { input: 'Three' },
  });

  expect(body).toMatchObject({
    code: 'Rate Limited',
    detail:
      'You have used the 20 tokens of models that this server allows in a day. Try again after the time in Retry-After.',
  });
  expect(Number(refused.get('Retry-After'))).toBeGreaterThan(86_000);
  expect(Number(refused.get('Retry-After'))).toBeLessThanOrEqual(86_400);
  expect((await runAgent(alice, agent, 'Two', { headers })).body.id).toBe(second.id);
  expect((await runAgent(alice, await createAgent(alice), 'list my tasks')).body.status).toBe('completed');
  const bob = await server.as('bob');
  const ofBob = await createAgent(bob, { runtime: 'local' });
  expect((await runAgent(bob, ofBob, 'One')).body.status).toBe('completed');
});

spec(
  'runAgent',
  200,
  'a run fails before the step of its model that has no tokens left, and keeps what it did',
  async () => {
    const { model, alice, agent } = await start('30');
    model.respondWith(
      toolCallResponse('create_task', { title: 'First' }),
      toolCallResponse('create_task', { title: 'Second' }),
    );

    const { body } = await runAgent(alice, agent, 'Two tasks');

    expect(body).toMatchObject({
      status: 'failed',
      error: {
        code: 'token_limit',
        message: 'The user has used the 30 tokens of models that this server allows in a day.',
      },
      usage: { input_tokens: 20, output_tokens: 10 },
    });
    expect(model.requests).toHaveLength(2);
    expect((await alice.ok('listTasks')).body.count).toBe(2);
  },
);

const unreported: readonly (readonly [string, (started: WithModel) => Promise<unknown>])[] = [
  [
    'whose run is cancelled before its model answers',
    async (started) => {
      const { run } = await startedRun(started, 'ended');
      return started.alice.ok('cancelRun', { id: run.id });
    },
  ],
  [
    'whose run is cancelled while its model answers',
    async (started) => {
      const { run } = await writingRun(started, 'ended', 'Hel');
      return started.alice.ok('cancelRun', { id: run.id });
    },
  ],
  [
    'whose session is deleted',
    async (started) => {
      await writingRun(started, 'ended', 'Hel');
      return started.alice.ok('deleteSession', { id: 'ended' });
    },
  ],
  [
    'whose model server fails while it answers',
    async ({ model, alice, agent }) => {
      const begun = { choices: [{ index: 0, delta: { content: 'Hel' } }] };
      model.respondWith(chunksResponse(begun, { error: { code: 401, message: 'Wrong key.' } }));
      return runAgent(alice, agent, 'Hi');
    },
  ],
  [
    'whose model server reports no tokens',
    async ({ model, alice, agent }) => {
      model.respondWith(
        chunksResponse({ choices: [{ index: 0, delta: { content: 'Hi.' }, finish_reason: 'stop' }] }),
      );
      return runAgent(alice, agent, 'Hi');
    },
  ],
];

describe.each(unreported)('a request %s', (_ending, request) => {
  spec('runAgent', 429, 'counts by its size', async () => {
    const started = await start('20');

    await request(started);

    await expect.poll(() => metricOf(started.server, 'agent_runs_active')).toBe(0);
    const next = { id: started.agent.id, body: { input: 'Hi' }, headers: { Prefer: 'respond-async' } };
    await started.alice.fails('runAgent', 429, next);
  });
});

spec('runAgent', 200, 'a request that a shutdown interrupts counts when it is repeated', async () => {
  const { model, server, alice, agent } = await start('20');
  const { run: interrupted } = await startedRun({ model, alice, agent }, 'interrupted');
  await server.close();
  model.respondWith(textResponse('Hello.'));

  const env = { ...noLimits, ...modelEnv(model), AGENT_TOKENS_PER_USER: '20' };
  const next = await (await startTestServer({ env, sharing: server })).as('alice');

  expect((await endedRun(next, interrupted)).output).toBe('Hello.');
  expect((await runAgent(next, agent, 'Hi')).body.output).toBe('Hello.');
  await next.fails('runAgent', 429, { id: agent.id, body: { input: 'Hi' } });
});

spec('runAgent', 200, 'a request that the model server refuses counts nothing', async () => {
  const { model, alice, agent } = await start('1');
  model.respondWith(errorResponse(401), textResponse('Hello.'));

  const { body: refused } = await runAgent(alice, agent, 'Hi');

  expect(refused.status).toBe('failed');
  expect((await runAgent(alice, agent, 'Hi')).body.output).toBe('Hello.');
});

const counts: readonly (readonly [sent: string, input: number, output: number])[] = [
  ['{"prompt_tokens": 2.5, "completion_tokens": 0.1}', 3, 1],
  ['{"prompt_tokens": -5, "completion_tokens": "7"}', 0, 7],
  ['{"prompt_tokens": 1e400, "completion_tokens": 1e30}', 2_147_483_647, 2_147_483_647],
  ['{"prompt_tokens": 4, "completion_tokens": "NaN", "prompt_tokens_details": "none"}', 4, 0],
];

describe.each(counts)('a model server that reports %s', (sent, input_tokens, output_tokens) => {
  spec('runAgent', 200, 'has its counts rounded up, and the run completes', async () => {
    const { model, alice, agent } = await start('20');
    const choice = { index: 0, delta: { content: 'Hi.' }, finish_reason: 'stop' };
    model.respondWith((response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.end(`data: {"choices": [${JSON.stringify(choice)}], "usage": ${sent}}\n\ndata: [DONE]\n\n`);
    });

    const { body } = await runAgent(alice, agent, 'Hi');

    expect(body).toMatchObject({
      status: 'completed',
      output: 'Hi.',
      usage: { input_tokens, output_tokens },
    });
  });
});

it.runIf(isShareable)('a day after the first run, the tokens count from zero', async () => {
  const { model, server, alice, agent } = await start('10');
  model.respondWith(textResponse('Hello.'));
  await runAgent(alice, agent, 'One');
  await alice.fails('runAgent', 429, { id: agent.id, body: { input: 'Two' } });

  await run(server.env['DATABASE_URL'] ?? '', `update rate_limits set expire = expire - 86400000`);

  expect((await runAgent(alice, agent, 'Two')).body.status).toBe('completed');
});
