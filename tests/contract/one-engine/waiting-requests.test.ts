import { expect, it } from 'vitest';
import { createAgent, noLimits } from '../../support/agents.ts';
import { keptMemory } from '../../support/memory.ts';
import { metricOf } from '../../support/metrics.ts';
import { modelEnv, startModelServer } from '../../support/model-server.ts';
import { startTestServer } from '../../support/server.ts';
import { tokenFor } from '../../support/tokens.ts';

const mebibyte = 2 ** 20;
const waiters = 30;

it('a request that waits for its run keeps nothing of its body', async () => {
  const model = await startModelServer();
  model.respondWith(() => undefined);
  const server = await startTestServer({ env: { ...noLimits, ...modelEnv(model) } });
  const agent = await createAgent(await server.as('alice'), { runtime: 'local' });
  const clients = new AbortController();
  const headers = { Authorization: `Bearer ${await tokenFor('alice')}`, Prefer: 'wait=600' };
  // The field `other`, which is unknown and so ignored, makes the body large.
  const body = Buffer.from(JSON.stringify({ input: 'Hi', other: 'x'.repeat(0.9 * mebibyte) }));
  const before = await keptMemory();

  const waiting = Array.from({ length: waiters }, () =>
    fetch(`${server.url}/v1/agents/${agent.id}/run`, {
      method: 'POST',
      headers,
      body,
      signal: clients.signal,
    }),
  );
  const settled = Promise.allSettled(waiting);
  await expect.poll(() => metricOf(server, 'long_requests')).toBe(waiters);
  const kept = await keptMemory();
  clients.abort();
  await settled;

  expect(kept.heapUsed - before.heapUsed).toBeLessThan((waiters * mebibyte) / 3);
});
