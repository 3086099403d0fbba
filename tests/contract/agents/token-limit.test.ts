import { expect, it } from 'vitest';
import { createAgent, runAgent } from '../../support/agents.ts';
import { textResponse } from '../../support/model-server.ts';
import { run } from '../../support/postgres.ts';
import { isShareable } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';
import { startWithModel } from '../../support/with-model.ts';

spec('runAgent', 429, 'a run of a model is refused once the user has used the tokens of a day', async () => {
  const { model, server, alice, agent } = await startWithModel({ AGENT_TOKENS_PER_USER: '20' });
  // Each response counts as 15 tokens.
  model.respondWith(textResponse('Hello.'));
  const headers = { 'Idempotency-Key': 'second' };
  await runAgent(alice, agent, 'One');
  const { body: second } = await runAgent(alice, agent, 'Two', { headers });

  const third = { id: agent.id, body: { input: 'Three' } };
  const { body, headers: refused } = await alice.fails('runAgent', 429, third);

  const detail =
    'You have used the 20 tokens of models that this server allows in a day. Try again after the time in Retry-After.';
  expect(body).toMatchObject({ code: 'Rate Limited', detail });
  expect(Number(refused.get('Retry-After'))).toBeGreaterThan(86_000);
  expect(Number(refused.get('Retry-After'))).toBeLessThanOrEqual(86_400);
  expect((await runAgent(alice, agent, 'Two', { headers })).body.id).toBe(second.id);
  expect((await runAgent(alice, await createAgent(alice), 'list my tasks')).body.status).toBe('completed');
  const bob = await server.as('bob');
  const ofBob = await createAgent(bob, { runtime: 'local' });
  expect((await runAgent(bob, ofBob, 'One')).body.status).toBe('completed');
});

it.runIf(isShareable)('a day after the first run, the tokens count from zero', async () => {
  const { model, server, alice, agent } = await startWithModel({ AGENT_TOKENS_PER_USER: '10' });
  model.respondWith(textResponse('Hello.'));
  await runAgent(alice, agent, 'One');
  await alice.fails('runAgent', 429, { id: agent.id, body: { input: 'Two' } });

  await run(server.env['DATABASE_URL'] ?? '', `update rate_limits set expire = expire - 86400000`);

  expect((await runAgent(alice, agent, 'Two')).body.status).toBe('completed');
});
