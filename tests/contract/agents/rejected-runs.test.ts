import { expect } from 'vitest';
import { createAgent, runAgent } from '../../support/agents.ts';
import { startTestServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';

const server = await startTestServer({
  changes: { agents: { limits: { requestsPerCaller: 600, runsPerCaller: 3, runsPerAgent: 2 } } },
});

spec('runAgent', 200, 'runs that the limit of an agent rejects leave the limit of the caller', async () => {
  const client = await server.as('one-busy-agent');
  const [busy, other] = [await createAgent(client), await createAgent(client)];
  for (const agent of [busy, busy]) await runAgent(client, agent, 'list my tasks');
  for (let count = 0; count < 3; count += 1)
    await client.fails('runAgent', 429, { id: busy.id, body: { input: 'list my tasks' } });

  const { headers } = await runAgent(client, other, 'list my tasks');

  expect(headers.get('RateLimit')).toMatch(/^"run-agent";r=1;t=\d+, "run-caller";r=0;t=\d+$/);
});

spec(
  'runAgent',
  429,
  'runs that the limit of the caller rejects leave the limits of its agents',
  async () => {
    const client = await server.as('many-busy-agents');
    const agents = [await createAgent(client), await createAgent(client)];
    const [one = { id: '' }, two = { id: '' }] = agents;
    for (const agent of [one, one, two]) await runAgent(client, agent, 'list my tasks');

    for (let count = 0; count < 3; count += 1) {
      const body = { input: 'list my tasks' };
      const { headers } = await client.fails('runAgent', 429, { id: two.id, body });
      expect(headers.get('RateLimit')).toMatch(/^"run-agent";r=1;t=\d+, "run-caller";r=0;t=\d+$/);
    }
  },
);
