import { beforeAll, describe, expect } from 'vitest';
import type { Schemas } from '../../../server/src/operation.ts';
import { createAgent, finishedSession, noLimits, runAgent } from '../../support/agents.ts';
import type { Client } from '../../support/client.ts';
import { eventsFrom } from '../../support/events.ts';
import { modelEnv, says, startModelServer, type ModelServer } from '../../support/model-server.ts';
import { startTestServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';

const stream = { Accept: 'text/event-stream' };

let model: ModelServer;
let alice: Client;
let bob: Client;
let aliceAgent: Schemas['Agent'];
let bobAgent: Schemas['Agent'];

beforeAll(async () => {
  model = await startModelServer();
  // A tenth of the places is two for each caller.
  const env = { ...noLimits, ...modelEnv(model), AGENT_MAX_WAITERS: '20' };
  const server = await startTestServer({ env });
  alice = await server.as('alice');
  bob = await server.as('bob');
  aliceAgent = await createAgent(alice, { runtime: 'local' });
  bobAgent = await createAgent(bob, { runtime: 'local' });
});

/** Alice waits for as many runs as she may; they end when she leaves. */
async function takeAliceShare(): Promise<{ leave: () => Promise<unknown> }> {
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<undefined>();
  const { promise: areAsked, resolve: asked } = Promise.withResolvers<undefined>();
  let count = 0;
  model.answers((response, request) => {
    if (request.messages.at(-1)?.content !== 'Wait') {
      says('Hello.')(response, request);
      return;
    }
    count += 1;
    if (count === 2) asked(undefined);
    void mayEnd.then(() => {
      says('At last.')(response, request);
    });
  });
  const waiting = [1, 2].map(() => runAgent(alice, aliceAgent, 'Wait'));
  await areAsked;
  return {
    leave: () => {
      end(undefined);
      return Promise.all(waiting);
    },
  };
}

describe('while one caller holds a tenth of AGENT_MAX_WAITERS', () => {
  spec('runAgent', 202, 'a further wait of the same caller is answered at once', async () => {
    const { leave } = await takeAliceShare();

    const { status, headers, body } = await runAgent(alice, aliceAgent, 'Hi', {
      context: { session_id: 'unwaited' },
      headers: { Prefer: 'wait=60' },
    });
    await leave();

    expect([status, headers.get('Preference-Applied')]).toEqual([202, null]);
    expect((await finishedSession(alice, 'unwaited')).run?.id).toBe(body.id);
  });

  spec('runAgent', 503, 'a further stream of the same caller is refused and names the run', async () => {
    const { leave } = await takeAliceShare();
    const body = { input: 'Hi', context: { session_id: 'unheard' } };

    const refused = await alice.fails('runAgent', 503, { id: aliceAgent.id, body, headers: stream });
    await leave();

    expect(refused.headers.get('Retry-After')).toBe('5');
    const { run } = await finishedSession(alice, 'unheard');
    expect(refused.body).toMatchObject({ code: 'Overloaded', session_id: 'unheard', run_id: run?.id });
  });

  spec('runAgent', 200, 'other callers wait for their runs and follow them', async () => {
    const { leave } = await takeAliceShare();

    const waited = await runAgent(bob, bobAgent, 'Hi');
    const followed = await bob.send('runAgent', { id: bobAgent.id, body: { input: 'Hi' }, headers: stream });
    await leave();

    expect([waited.status, waited.body.output]).toEqual([200, 'Hello.']);
    expect(followed.status).toBe(200);
    expect(eventsFrom(String(followed.body)).at(-1)?.event).toBe('run.completed');
  });
});
