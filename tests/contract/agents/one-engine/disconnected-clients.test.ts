import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { lockKey } from '../../../../server/src/db/advisory-lock.ts';
import { metricOf } from '../../../support/metrics.ts';
import { textResponse } from '../../../support/model-server.ts';
import { runConnection } from '../../../support/postgres.ts';
import { engine } from '../../../support/server.ts';
import { tokenFor } from '../../../support/tokens.ts';
import { startWithModel } from '../../../support/with-model.ts';

const stream = { Accept: 'text/event-stream' };
const wait = { Prefer: 'wait=600' };

// A time limit longer than a run waits for a lock in these tests.
const patience = { DATABASE_STATEMENT_TIMEOUT: '40s' };
const { model, server, alice, agent } = await startWithModel(patience, {}, { waitingRequestsMax: 1 });

/** Runs with the input "Hang" never finish. `hanging` resolves when such a run has started. */
function hangingModel(): { readonly hanging: Promise<undefined> } {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  model.respondWith((response, request) => {
    if (request.messages.at(-1)?.content === 'Hang') resolve(undefined);
    else textResponse('Done.')(response, request);
  });
  return { hanging: promise };
}

/** Starts a run that never finishes. */
async function startHangingRun(headers: Record<string, string>, signal: AbortSignal): Promise<unknown> {
  const ofUser = { Authorization: `Bearer ${await tokenFor('alice')}`, 'Content-Type': 'application/json' };
  const request = { method: 'POST', headers: { ...ofUser, ...headers }, body: '{"input":"Hang"}', signal };
  return fetch(`${server.url}/v1/agents/${agent.id}/run`, request).catch(() => undefined);
}

const waiters = (): Promise<number> => metricOf(server, 'long_requests');

describe.runIf(engine === 'postgres')('a client that disconnects while its run is being started', () => {
  const startingRuns = `select pg_advisory_xact_lock(${lockKey('runs of a caller', 'alice')})`;

  it.each([
    ['stream', stream],
    ['wait', wait],
  ])('does not count as a waiter for ever (%s)', async (_kind, headers) => {
    const { hanging } = hangingModel();
    const client = new AbortController();

    await runConnection(server.env['DATABASE_URL'] ?? '', async (connection) => {
      await connection.query(`begin; ${startingRuns}`);
      const response = startHangingRun(headers, client.signal);
      await connection.waitUntilSomeoneWaits();
      client.abort();
      await response;
      // Gives the server time to notice the disconnect before the run can start.
      await pause(300);
      await connection.query('rollback');
    });
    await hanging;

    const body = { input: 'Hi' };
    await expect
      .poll(async () => (await alice.send('runAgent', { id: agent.id, body, headers: stream })).status, {
        interval: 1000,
      })
      .toBe(200);
  });
});

it.each([
  ['stream', stream],
  ['wait', wait],
])(
  'long_requests counts a connected client, and no longer counts it once it disconnects (%s)',
  async (_kind, headers) => {
    const { hanging } = hangingModel();
    const client = new AbortController();
    await expect.poll(waiters).toBe(0);

    const response = startHangingRun(headers, client.signal);
    await hanging;
    const counted = await waiters();
    client.abort();
    await response;

    expect(counted).toBe(1);
    await expect.poll(waiters).toBe(0);
  },
);
