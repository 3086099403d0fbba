import { randomBytes } from 'node:crypto';
import { describe, expect, onTestFinished, vi } from 'vitest';
import type { OperationId } from '../../../server/src/contract/operation.ts';
import { createAgent, runAgent } from '../../support/agents.ts';
import type { Client, DocumentedStatus } from '../../support/client.ts';
import { operationOf } from '../../support/contract.ts';
import { runConnection } from '../../support/postgres.ts';
import { operationIds, requests } from '../../support/requests.ts';
import { isShareable, startTestServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';

const limits = { requestsPerCaller: 5, runsPerCaller: 3, runsPerAgent: 2 };

const server = await startTestServer({ changes: { agents: { limits } } });

async function useUp(client: Client, times: number): Promise<void> {
  for (let count = 0; count < times; count += 1) await client.ok('listAgents');
}

type Limited = {
  [Id in OperationId]: 429 extends DocumentedStatus<Id> ? Exclude<Id, 'runAgent'> : never;
}[OperationId];
const isLimited = (id: OperationId): id is Limited =>
  id !== 'runAgent' && operationOf(id).responses[429] !== undefined;

describe.each(operationIds.filter(isLimited))('%s', (operation) => {
  spec(operation, 429, 'a request above the limit is rejected with Retry-After', async () => {
    const client = await server.as(`greedy-${operation}`);
    await useUp(client, 5);

    const { body, headers } = await client.fails(operation, 429, requests[operation]);

    expect(body).toMatchObject({ code: 'Rate Limited', error: 'Rate Limited' });
    expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(Number(headers.get('Retry-After'))).toBeLessThanOrEqual(60);
    expect(headers.get('RateLimit')).toMatch(/^"requests-caller";r=0;t=\d+$/);
    expect(headers.get('RateLimit-Policy')).toBe('"requests-caller";q=5;w=60');
  });
});

const body = { input: 'list my tasks' };

spec('runAgent', 429, "runs above an agent's limit do not count for the limit of the caller", async () => {
  const client = await server.as('one-agent');
  const [{ id }, other] = [await createAgent(client), await createAgent(client)];
  // An id in upper case counts for the same agent.
  await runAgent(client, { id: id.toUpperCase() }, 'list my tasks');
  const { headers: last } = await runAgent(client, { id }, 'list my tasks');

  for (let count = 0; count < 3; count += 1) {
    const { headers } = await client.fails('runAgent', 429, { id, body });
    expect(headers.get('RateLimit')).toMatch(/^"run-agent";r=0;t=\d+$/);
    expect(headers.get('RateLimit-Policy')).toBe('"run-agent";q=2;w=60');
  }

  expect(last.get('RateLimit')).toMatch(/^"run-agent";r=0;t=\d+, "run-caller";r=1;t=\d+$/);
  const { headers } = await runAgent(client, other, 'list my tasks');
  expect(headers.get('RateLimit')).toMatch(/^"run-agent";r=1;t=\d+, "run-caller";r=0;t=\d+$/);
  const { headers: refused } = await client.fails('runAgent', 429, { id: other.id, body });
  expect(refused.get('RateLimit')).toMatch(/^"run-agent";r=0;t=\d+, "run-caller";r=0;t=\d+$/);
});

spec('runAgent', 404, 'an unknown agent is not found, however long its id is', async () => {
  const client = await server.as('long-winded');
  // Random text, which an index cannot compress.
  const id = randomBytes(6000).toString('base64url');

  await client.fails('runAgent', 404, { id, body });
});

describe.runIf(isShareable)('counting in Postgres', () => {
  // Not on the embedded database, whose clock is the clock of this process.
  spec('listAgents', 429, 'a minute passes by the clock of the database', async () => {
    const client = await server.as('ahead');
    await useUp(client, 5);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 60_000 });
    onTestFinished(() => {
      vi.useRealTimers();
    });

    await client.fails('listAgents', 429);
  });

  spec('listAgents', 200, 'requests that wait to be counted leave connections to others', async () => {
    const small = await startTestServer({ env: { DATABASE_POOL_SIZE: '2' } });
    const [alice, bob] = [await small.as('alice'), await small.as('bob')];
    await alice.ok('listAgents');

    await runConnection(small.env['DATABASE_URL'] ?? '', async (connection) => {
      await connection.query('begin; select from rate_limits for update');
      const waiting = [1, 2, 3].map(() => alice.send('listAgents'));
      await connection.waitUntilSomeoneWaits();

      await bob.ok('listAgents');
      await connection.query('commit');
      await Promise.all(waiting);
    });
  });

  spec('listAgents', 429, 'servers that share a database share the limits', async () => {
    const other = await startTestServer({ changes: { agents: { limits } }, sharing: server });
    await useUp(await server.as('hopper'), 3);
    await useUp(await other.as('hopper'), 2);

    await (await server.as('hopper')).fails('listAgents', 429);
    await (await other.as('hopper')).fails('listAgents', 429);
  });
});
