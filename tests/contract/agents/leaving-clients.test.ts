import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Schemas } from '../../../server/src/operation.ts';
import { createAgent, noLimits } from '../../support/agents.ts';
import type { Client } from '../../support/client.ts';
import { modelEnv, says, startModelServer, type ModelServer } from '../../support/model-server.ts';
import { runConnection } from '../../support/postgres.ts';
import { engine, startTestServer, type TestServer } from '../../support/server.ts';
import { tokenFor } from '../../support/tokens.ts';

const stream = { Accept: 'text/event-stream' };
const wait = { Prefer: 'wait=600' };

let model: ModelServer;
let server: TestServer;
let alice: Client;
let agent: Schemas['Agent'];

beforeAll(async () => {
  model = await startModelServer();
  const env = { ...noLimits, ...modelEnv(model), AGENT_MAX_WAITERS: '1' };
  server = await startTestServer({ env });
  alice = await server.as('alice');
  agent = await createAgent(alice, { runtime: 'local' });
});

/** Runs whose input is "Stay" never end; `stays` resolves when such a run has begun. */
function modelThatStays(): { readonly stays: Promise<undefined> } {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  model.answers((response, request) => {
    if (request.messages.at(-1)?.content === 'Stay') resolve(undefined);
    else says('Done.')(response, request);
  });
  return { stays: promise };
}

/** Starts a run that never ends. */
async function stay(headers: Record<string, string>, leaving: AbortSignal): Promise<Response | undefined> {
  const request = {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${await tokenFor('alice')}`,
      'Content-Type': 'application/json',
      ...headers,
    },
    body: JSON.stringify({ input: 'Stay' }),
    signal: leaving,
  };
  return fetch(`${server.url}/v1/agents/${agent.id}/run`, request).catch(() => undefined);
}

async function waiters(): Promise<string | undefined> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return /^agent_waiters (\d+)$/m.exec(text)?.[1];
}

describe.runIf(engine === 'postgres')('a client that leaves while its run is being started', () => {
  const startingRuns = `select pg_advisory_xact_lock(hashtextextended('["runs of a caller","alice"]', 0))`;

  it.each([
    ['stream', stream],
    ['wait', wait],
  ])('does not keep its place among the waiters for ever (%s)', async (_kind, headers) => {
    const { stays } = modelThatStays();
    const leaving = new AbortController();

    await runConnection(server.env['DATABASE_URL'] ?? '', async (connection) => {
      await connection.query(`begin; ${startingRuns}`);
      const left = stay(headers, leaving.signal);
      await connection.waitUntilSomeoneWaits();
      leaving.abort();
      await left;
      // The server must see the end of the connection before the run can start.
      await pause(300);
      await connection.query('rollback');
    });
    await stays;

    const body = { input: 'Hi' };
    await expect
      .poll(async () => (await alice.send('runAgent', { id: agent.id, body, headers: stream })).status, {
        interval: 1000,
        timeout: 10_000,
      })
      .toBe(200);
  });
});

it.each([
  ['stream', stream],
  ['wait', wait],
])('agent_waiters counts a client that is there, and not one that has left (%s)', async (_kind, headers) => {
  const { stays } = modelThatStays();
  const leaving = new AbortController();
  await expect.poll(waiters).toBe('0');

  const answer = stay(headers, leaving.signal);
  await stays;
  const counted = await waiters();
  leaving.abort();
  await answer;

  expect(counted).toBe('1');
  await expect.poll(waiters).toBe('0');
});
