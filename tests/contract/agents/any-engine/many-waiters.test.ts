import { describe, expect } from 'vitest';
import type { Schemas } from '../../../../server/src/operation.ts';
import { createAgent, finishedSession, runAgent } from '../../../support/agents.ts';
import type { Answer } from '../../../support/client.ts';
import { eventsFrom } from '../../../support/events.ts';
import { textResponse } from '../../../support/model-server.ts';
import { spec } from '../../../support/spec.ts';
import { startWithModel } from '../../../support/with-model.ts';

const events = { Accept: 'text/event-stream' };

const started = await startWithModel({}, {}, { waitingRequestsMax: 1 });
const { model, alice, agent } = started;
const bob = await started.server.as('bob');

/** Occupies the only waiter slot until `finish` is called. */
async function occupyWaiterSlot(): Promise<{ finish: () => Promise<Answer<Schemas['Run']>> }> {
  const { promise: requestReceived, resolve: onRequest } = Promise.withResolvers<undefined>();
  const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
  model.respondWith((response, request) => {
    onRequest(undefined);
    void released.then(() => {
      textResponse('At last.')(response, request);
    });
  });
  const waiting = runAgent(alice, agent, 'Wait');
  await requestReceived;
  return {
    finish: () => {
      release(undefined);
      return waiting;
    },
  };
}

describe('at the limit of requests that wait', () => {
  spec('runAgent', 202, 'a run is accepted at once, even if the request prefers to wait', async () => {
    const { finish } = await occupyWaiterSlot();

    const { status, headers, body } = await runAgent(alice, agent, 'Hi', {
      context: { session_id: 'accepted' },
      headers: { Prefer: 'wait=60' },
    });

    expect(status).toBe(202);
    expect(headers.get('Location')).toBe(`/v1/runs/${body.id}`);
    expect(headers.get('Preference-Applied')).toBeNull();
    expect((await finish()).body.output).toBe('At last.');
    expect((await finishedSession(alice, 'accepted')).run?.id).toBe(body.id);
  });

  spec(
    'runAgent',
    503,
    'a stream is rejected with the id of its run, which continues and can be followed later',
    async () => {
      const { finish } = await occupyWaiterSlot();
      const request = {
        id: agent.id,
        body: { input: 'Hi', context: { session_id: 'rejected' } },
        headers: { ...events, 'Idempotency-Key': 'rejected' },
      };

      const { body, headers } = await alice.fails('runAgent', 503, request);
      await finish();
      const run = (await finishedSession(alice, 'rejected')).run;
      const replayed = await alice.send('runAgent', request);

      expect(body).toMatchObject({ code: 'Overloaded', session_id: 'rejected', run_id: run?.id });
      expect(headers.get('Retry-After')).toBe('5');
      expect(eventsFrom(String(replayed.body)).at(-1)).toMatchObject({
        event: 'run.completed',
        data: { id: run?.id },
      });
    },
  );

  spec('runAgent', 200, 'a stream of another caller is served', async () => {
    const { finish } = await occupyWaiterSlot();
    const { id } = await createAgent(bob);

    await bob.ok('runAgent', { id, body: { input: 'Hi' }, headers: events });

    await finish();
  });
});
