import { describe, expect } from 'vitest';
import { createAgent, finishedSession, runAgent } from '../../../support/agents.ts';
import { eventsFrom } from '../../../support/events.ts';
import { textResponse } from '../../../support/model-server.ts';
import { spec } from '../../../support/spec.ts';
import { startWithModel } from '../../../support/with-model.ts';

const stream = { Accept: 'text/event-stream' };

// Each caller may have a quarter of the waiters, which is two.
const started = await startWithModel({}, {}, { waitingRequestsMax: 8 });
const { model, alice, agent: aliceAgent } = started;
const bob = await started.server.as('bob');
const bobAgent = await createAgent(bob, { runtime: 'local' });

/** Occupies all waiter slots of Alice until `finish` is called. */
async function occupyAliceSlots(): Promise<{ finish: () => Promise<unknown> }> {
  const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
  const { promise: requestsReceived, resolve: onRequests } = Promise.withResolvers<undefined>();
  let count = 0;
  model.respondWith((response, request) => {
    if (request.messages.at(-1)?.content !== 'Wait') {
      textResponse('Hello.')(response, request);
      return;
    }
    count += 1;
    if (count === 2) onRequests(undefined);
    void released.then(() => {
      textResponse('At last.')(response, request);
    });
  });
  const waiting = [1, 2].map(() => runAgent(alice, aliceAgent, 'Wait'));
  await requestsReceived;
  return {
    finish: () => {
      release(undefined);
      return Promise.all(waiting);
    },
  };
}

describe('while one caller has a quarter of the requests that may wait', () => {
  spec(
    'runAgent',
    202,
    'a further run of the same caller is accepted at once, even if the request prefers to wait',
    async () => {
      const { finish } = await occupyAliceSlots();

      const { status, headers, body } = await runAgent(alice, aliceAgent, 'Hi', {
        context: { session_id: 'accepted' },
        headers: { Prefer: 'wait=60' },
      });
      await finish();

      expect([status, headers.get('Preference-Applied')]).toEqual([202, null]);
      expect((await finishedSession(alice, 'accepted')).run?.id).toBe(body.id);
    },
  );

  spec(
    'runAgent',
    503,
    'a further stream of the same caller is rejected with the id of its run',
    async () => {
      const { finish } = await occupyAliceSlots();
      const body = { input: 'Hi', context: { session_id: 'rejected' } };

      const rejected = await alice.fails('runAgent', 503, { id: aliceAgent.id, body, headers: stream });
      await finish();

      expect(rejected.headers.get('Retry-After')).toBe('5');
      const { run } = await finishedSession(alice, 'rejected');
      expect(rejected.body).toMatchObject({ code: 'Overloaded', session_id: 'rejected', run_id: run?.id });
    },
  );

  spec('runAgent', 200, 'other callers can wait for their runs and follow them', async () => {
    const { finish } = await occupyAliceSlots();

    const waited = await runAgent(bob, bobAgent, 'Hi');
    const followed = await bob.send('runAgent', { id: bobAgent.id, body: { input: 'Hi' }, headers: stream });
    await finish();

    expect([waited.status, waited.body.output]).toEqual([200, 'Hello.']);
    expect(followed.status).toBe(200);
    expect(eventsFrom(String(followed.body)).at(-1)?.event).toBe('run.completed');
  });
});
