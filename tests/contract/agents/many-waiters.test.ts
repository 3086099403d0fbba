import { beforeAll, describe, expect } from 'vitest';
import type { Schemas } from '../../../server/src/operation.ts';
import { createAgent, finishedSession, noLimits, runAgent } from '../../support/agents.ts';
import type { Answer, Client } from '../../support/client.ts';
import { eventsFrom } from '../../support/events.ts';
import { modelEnv, says, startModelServer, type ModelServer } from '../../support/model-server.ts';
import { startTestServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';

const events = { Accept: 'text/event-stream' };

let model: ModelServer;
let alice: Client;
let bob: Client;
let agent: Schemas['Agent'];

beforeAll(async () => {
  model = await startModelServer();
  const server = await startTestServer({ env: { ...noLimits, ...modelEnv(model), AGENT_MAX_WAITERS: '1' } });
  alice = await server.as('alice');
  bob = await server.as('bob');
  agent = await createAgent(alice, { runtime: 'local' });
});

/** Takes the one place there is for as long as the model says nothing. */
async function takePlace(): Promise<{ leave: () => Promise<Answer<Schemas['Run']>> }> {
  const { promise: isAsked, resolve: asked } = Promise.withResolvers<undefined>();
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<undefined>();
  model.answers((response, request) => {
    asked(undefined);
    void mayEnd.then(() => {
      says('At last.')(response, request);
    });
  });
  const waiting = runAgent(alice, agent, 'Wait');
  await isAsked;
  return {
    leave: () => {
      end(undefined);
      return waiting;
    },
  };
}

describe('while as many wait for runs as may', () => {
  spec('runAgent', 202, 'answers at once, whatever wait is preferred', async () => {
    const { leave } = await takePlace();

    const { status, headers, body } = await runAgent(alice, agent, 'Hi', {
      context: { session_id: 'unwaited' },
      headers: { Prefer: 'wait=60' },
    });

    expect(status).toBe(202);
    expect(headers.get('Location')).toBe('/v1/sessions/unwaited');
    expect(headers.get('Preference-Applied')).toBeNull();
    expect((await leave()).body.output).toBe('At last.');
    expect((await finishedSession(alice, 'unwaited')).run?.id).toBe(body.id);
  });

  spec(
    'runAgent',
    503,
    'refuses a stream and names the run, which goes on and can be followed later',
    async () => {
      const { leave } = await takePlace();
      const request = {
        id: agent.id,
        body: { input: 'Hi', context: { session_id: 'unheard' } },
        headers: { ...events, 'Idempotency-Key': 'unheard' },
      };

      const { body, headers } = await alice.fails('runAgent', 503, request);
      await leave();
      const run = (await finishedSession(alice, 'unheard')).run;
      const again = await alice.send('runAgent', request);

      expect(body).toMatchObject({ code: 'Overloaded', session_id: 'unheard', run_id: run?.id });
      expect(headers.get('Retry-After')).toBe('5');
      expect(eventsFrom(String(again.body)).at(-1)).toMatchObject({
        event: 'run.completed',
        data: { id: run?.id },
      });
    },
  );

  spec('runAgent', 503, 'refuses a stream of another caller, too', async () => {
    const { leave } = await takePlace();
    const { id } = await createAgent(bob);

    const { body } = await bob.fails('runAgent', 503, { id, body: { input: 'Hi' }, headers: events });
    await leave();

    expect(body.code).toBe('Overloaded');
  });
});
