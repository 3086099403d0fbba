import { describe, expect, it } from 'vitest';
import { createAgent, runAgent } from '../../../support/agents.ts';
import { metricOf } from '../../../support/metrics.ts';
import {
  chunksResponse,
  errorResponse,
  textResponse,
  toolCallResponse,
} from '../../../support/model-server.ts';
import { run } from '../../../support/postgres.ts';
import { isShareable } from '../../../support/server.ts';
import { spec } from '../../../support/spec.ts';
import { startedRun, startWithModel, type WithModel } from '../../../support/with-model.ts';
import { writingRun } from '../../../support/writing-model.ts';

const shared = await startWithModel({ AGENT_TOKENS_PER_USER: '30' });

/** A new user, who has used no tokens, with an agent. */
async function newUser(name: string): Promise<WithModel> {
  const alice = await shared.server.as(name);
  const server = { ...shared.server, token: () => shared.server.token(name) };
  return { ...shared, server, alice, agent: await createAgent(alice, { runtime: 'local' }) };
}

/** Makes a user run the agent until the 30 tokens of the day are used up: each response counts as 15 tokens. */
async function useUp({ model, alice, agent }: WithModel): Promise<void> {
  model.respondWith(textResponse('Hello.'));
  for (const input of ['One', 'Two'])
    await runAgent(alice, agent, input, { headers: { 'Idempotency-Key': input } });
}

spec('runAgent', 429, 'a run of a model is refused once the user has used the tokens of a day', async () => {
  const started = await newUser('spender');
  const { server, alice, agent } = started;
  await useUp(started);

  const { body, headers } = await alice.fails('runAgent', 429, { id: agent.id, body: { input: 'Three' } });

  const detail =
    'You have used the 30 tokens of models that this server allows in a day. Try again after the time in Retry-After.';
  expect(body).toMatchObject({ code: 'Rate Limited', detail });
  expect(Number(headers.get('Retry-After'))).toBeGreaterThan(86_000);
  expect(Number(headers.get('Retry-After'))).toBeLessThanOrEqual(86_400);
  const repeated = await runAgent(alice, agent, 'Two', { headers: { 'Idempotency-Key': 'Two' } });
  expect(repeated.headers.get('Idempotency-Replayed')).toBe('true');
  expect((await runAgent(alice, await createAgent(alice), 'list my tasks')).body.status).toBe('completed');
  const bob = await server.as('bob');
  const ofBob = await createAgent(bob, { runtime: 'local' });
  expect((await runAgent(bob, ofBob, 'One')).body.status).toBe('completed');
});

it.runIf(isShareable)('a day after the first run, the tokens count from zero', async () => {
  const started = await newUser('patient');
  const { server, alice, agent } = started;
  await useUp(started);
  await alice.fails('runAgent', 429, { id: agent.id, body: { input: 'Three' } });

  await run(server.env['DATABASE_URL'] ?? '', `update rate_limits set expire = expire - 86400000`);

  expect((await runAgent(alice, agent, 'Three')).body.status).toBe('completed');
});

const text = { choices: [{ index: 0, delta: { content: 'Hel' } }] };
const end = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };

spec('runAgent', 200, 'a run fails before a step without tokens left, and keeps what it did', async () => {
  const { model, alice, agent } = await newUser('stepper');
  model.respondWith(...['First', 'Second'].map((title) => toolCallResponse('create_task', { title })));

  const { body } = await runAgent(alice, agent, 'Two tasks');

  const message = 'The user has used the 30 tokens of models that this server allows in a day.';
  expect(body).toMatchObject({
    ...{ status: 'failed', error: { code: 'token_limit', message } },
    usage: { input_tokens: 20, output_tokens: 10 },
  });
  expect(model.requests).toHaveLength(2);
  expect((await alice.ok('listTasks')).body.count).toBe(2);
});

const unreported: Readonly<Record<string, (started: WithModel) => Promise<unknown>>> = {
  'whose run is cancelled before its model answers': async (started) => {
    const { run } = await startedRun(started, 'ended');
    return started.alice.ok('cancelRun', { id: run.id });
  },
  'whose run is cancelled while its model answers': async (started) => {
    const { run } = await writingRun(started, 'ended', 'Hel');
    return started.alice.ok('cancelRun', { id: run.id });
  },
  'whose session is deleted': async (started) => {
    await writingRun(started, 'ended', 'Hel');
    return started.alice.ok('deleteSession', { id: 'ended' });
  },
  'whose model server fails while it answers': async ({ model, alice, agent }) => {
    model.respondWith(chunksResponse(text, { error: { code: 401, message: 'Wrong key.' } }));
    return runAgent(alice, agent, 'Hi');
  },
  'whose model server reports no tokens': async ({ model, alice, agent }) => {
    model.respondWith(chunksResponse(text, end));
    return runAgent(alice, agent, 'Hi');
  },
};

describe.each(Object.entries(unreported))('a request %s', (ending, request) => {
  spec('runAgent', 429, 'counts by its size', async () => {
    const started = await newUser(ending);

    await request(started);

    await expect.poll(() => metricOf(started.server, 'agent_runs_active{runtime="local"}')).toBe(0);
    const next = { id: started.agent.id, body: { input: 'Hi' }, headers: { Prefer: 'respond-async' } };
    await started.alice.fails('runAgent', 429, next);
  });
});

spec('runAgent', 200, 'a request that the model server refuses counts nothing', async () => {
  const { model, alice, agent } = await newUser('refused');
  model.respondWith(errorResponse(401), textResponse('Hello.'));

  const { body: refused } = await runAgent(alice, agent, 'Hi');

  expect(refused.status).toBe('failed');
  expect((await runAgent(alice, agent, 'Hi')).body.output).toBe('Hello.');
});

const largest = 2_147_483_647;
const counts: readonly (readonly [sent: string, input: number, output: number])[] = [
  ['{"prompt_tokens": 2.5, "completion_tokens": 0.1}', 3, 1],
  ['{"prompt_tokens": -5, "completion_tokens": "7"}', 0, 7],
  ['{"prompt_tokens": 1e400, "completion_tokens": 1e30}', largest, largest],
  ['{"prompt_tokens": 4, "completion_tokens": "NaN", "prompt_tokens_details": "none"}', 4, 0],
];

describe.each(counts)('a model server that reports %s', (sent, input_tokens, output_tokens) => {
  spec('runAgent', 200, 'has its counts rounded up, and the run completes', async () => {
    const { model, alice, agent } = await newUser(sent);
    model.respondWith((response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      const last = `data: {"choices": ${JSON.stringify(end.choices)}, "usage": ${sent}}`;
      response.end(`data: ${JSON.stringify(text)}\n\n${last}\n\ndata: [DONE]\n\n`);
    });

    const { body } = await runAgent(alice, agent, 'Hi');

    const usage = { input_tokens, output_tokens };
    expect(body).toMatchObject({ status: 'completed', output: 'Hel', usage });
  });
});
