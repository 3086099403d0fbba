import { describe, expect } from 'vitest';
import { createAgent, noLimits, runAgent } from '../../support/agents.ts';
import { sendTwiceWhileLocked } from '../../support/send-twice.ts';
import { isShareable, startTestServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';

const server = await startTestServer({ env: noLimits });
const alice = await server.as('alice');
const agent = await createAgent(alice);

spec('runAgent', 200, 'a repeated Idempotency-Key returns the same run', async () => {
  const headers = { 'Idempotency-Key': 'once' };
  const first = await runAgent(alice, agent, 'create a task titled Once', { headers });
  const second = await runAgent(alice, agent, 'create a task titled Once', { headers });

  expect(second.body).toEqual(first.body);
  expect(first.headers.get('Idempotency-Replayed')).toBeNull();
  expect(second.headers.get('Idempotency-Replayed')).toBe('true');
  expect((await alice.ok('listTasks', { query: { q: 'Once' } })).body.count).toBe(1);
});

spec(
  'runAgent',
  200,
  'a repeated Idempotency-Key can wait for a run that was started in the background',
  async () => {
    const key = { 'Idempotency-Key': 'first async' };
    const first = await runAgent(alice, agent, 'create a task titled Async', {
      headers: { ...key, Prefer: 'respond-async' },
    });
    const second = await runAgent(alice, agent, 'create a task titled Async', { headers: key });

    expect([first.status, second.status]).toEqual([202, 200]);
    expect(second.body).toMatchObject({ id: first.body.id, status: 'completed' });
  },
);

spec('runAgent', 422, 'an Idempotency-Key that was used with another input is rejected', async () => {
  const headers = { 'Idempotency-Key': 'reused' };
  await runAgent(alice, agent, 'list my tasks', { headers });

  await alice.fails('runAgent', 422, { id: agent.id, body: { input: 'list done tasks' }, headers });
});

describe.runIf(isShareable)('on Postgres', () => {
  spec(
    'runAgent',
    200,
    'a second request waits while the first one with its Idempotency-Key is in progress, and returns its run',
    async () => {
      const headers = { 'Idempotency-Key': 'in flight' };
      const request = { id: agent.id, body: { input: 'create a task titled In flight' }, headers };

      const [first, second] = await sendTwiceWhileLocked(server, 'runs', () => alice.ok('runAgent', request));

      expect(second.body).toEqual(first.body);
      expect((await alice.ok('listTasks', { query: { q: 'In flight' } })).body.count).toBe(1);
    },
  );

  spec(
    'createAgent',
    200,
    'a second request waits while the first one with its Idempotency-Key is in progress, and is replayed',
    async () => {
      const request = { body: { name: 'Slow' }, headers: { 'Idempotency-Key': 'agent in flight' } };

      const [first, second] = await sendTwiceWhileLocked(server, 'agents', () =>
        alice.ok('createAgent', request),
      );

      expect(second.body).toEqual(first.body);
    },
  );
});
