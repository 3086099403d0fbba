import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { lockKey } from '../../../../server/src/db/advisory-lock.ts';
import { createAgent, finishedSession, runAgent, streamRun } from '../../../support/agents.ts';
import { whileLocked } from '../../../support/locks.ts';
import { engine } from '../../../support/server.ts';
import { spec } from '../../../support/spec.ts';
import { tokenFor } from '../../../support/tokens.ts';
import { startWithModel } from '../../../support/with-model.ts';
import { slowModel } from '../../../support/writing-model.ts';

const stream = { Accept: 'text/event-stream' };

// A caller may have a quarter of the waiting requests, but at least one: here, exactly one. A new run waits for a lock
// for at most half of the time limit, which is longer than the lock is held here.
const patience = { DATABASE_STATEMENT_TIMEOUT: '40s' };
const { model, server, alice, agent } = await startWithModel(patience, {}, { waitingRequestsMax: 1 });

/** Makes the caller wait for as many runs as allowed, until `finish` is called. */
async function occupySlot(): Promise<{ finish: () => Promise<string | null> }> {
  const { asked, release } = slowModel(model);
  const waiting = runAgent(alice, agent, 'Slow');
  await expect.poll(asked).toHaveLength(1);
  return {
    finish: async () => {
      release();
      return (await waiting).body.output;
    },
  };
}

describe('while a caller waits for as many runs as allowed', () => {
  spec('runAgent', 202, 'its next run is accepted at once, even if it prefers to wait', async () => {
    const { finish } = await occupySlot();

    const { status, headers, body } = await runAgent(alice, agent, 'Hi', {
      context: { session_id: 'accepted' },
      headers: { Prefer: 'wait=60' },
    });

    expect([status, headers.get('Preference-Applied')]).toEqual([202, null]);
    expect(headers.get('Location')).toBe(`/v1/runs/${body.id}`);
    expect(await finish()).toBe('Slowly');
    expect((await finishedSession(alice, 'accepted')).run?.id).toBe(body.id);
  });

  spec('runAgent', 503, 'its next stream is rejected before its run starts', async () => {
    const { finish } = await occupySlot();
    const context = { session_id: 'rejected' };
    const key = { 'Idempotency-Key': 'rejected' };

    const request = { id: agent.id, body: { input: 'Hi', context }, headers: { ...key, ...stream } };
    const { body, headers } = await alice.fails('runAgent', 503, request);
    await finish();
    await alice.fails('getSession', 404, { id: 'rejected' });
    const repeated = await streamRun(alice, agent, 'Hi', { context, headers: key });

    expect(body.code).toBe('Overloaded');
    expect(headers.get('Retry-After')).toBe('1');
    expect(repeated.at(-1)?.event).toBe('run.completed');
  });

  spec('runAgent', 200, 'other callers can wait for their runs and follow them', async () => {
    const { finish } = await occupySlot();
    const bob = await server.as('bob');
    const ofBob = await createAgent(bob, { runtime: 'local' });

    const waited = await runAgent(bob, ofBob, 'Hi');
    const followed = await streamRun(bob, ofBob, 'Hi');
    await finish();

    expect([waited.status, waited.body.output]).toEqual([200, 'Done.']);
    expect(followed.at(-1)?.event).toBe('run.completed');
  });
});

/** Starts a run that never finishes. */
async function startHangingRun(headers: Record<string, string>, signal: AbortSignal): Promise<unknown> {
  const ofUser = { Authorization: `Bearer ${await tokenFor('alice')}`, 'Content-Type': 'application/json' };
  const request = { method: 'POST', headers: { ...ofUser, ...headers }, body: '{"input":"Slow"}', signal };
  return fetch(`${server.url}/v1/agents/${agent.id}/run`, request).catch(() => undefined);
}

describe.runIf(engine === 'postgres')('a client that disconnects while its run is being started', () => {
  const startingRuns = `select pg_advisory_xact_lock(${lockKey('runs of a caller', 'alice')})`;

  it.each([stream, { Prefer: 'wait=600' }])('does not count as a waiter for ever: %j', async (headers) => {
    const { asked } = slowModel(model);
    const client = new AbortController();

    await whileLocked(server, startingRuns, async (connection) => {
      const response = startHangingRun(headers, client.signal);
      await connection.waitUntilSomeoneWaits();
      client.abort();
      await response;
      // Gives the server time to notice the disconnect before the run can start.
      await pause(300);
    });
    await expect.poll(asked).toEqual(['Slow']);

    const body = { input: 'Hi' };
    await expect
      .poll(async () => (await alice.send('runAgent', { id: agent.id, body, headers: stream })).status, {
        interval: 1000,
      })
      .toBe(200);
  });
});
