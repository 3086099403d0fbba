import { describe, expect, it } from 'vitest';
import type { Schemas } from '../../../server/src/contract/operation.ts';
import { createAgent, endedRun, runAgent } from '../../support/agents.ts';
import type { Client } from '../../support/client.ts';
import {
  errorResponse,
  startModelServer,
  textResponse,
  type ModelRequest,
  type ModelServer,
} from '../../support/model-server.ts';
import { openRunStream } from '../../support/run-stream.ts';
import { spec } from '../../support/spec.ts';
import { startedRun, startWithModel } from '../../support/with-model.ts';
import { writtenResponse } from '../../support/writing-model.ts';

const later = { Prefer: 'respond-async' };

/** A model that answers at once. An answer to an input that begins with "Slow" ends only after `release`. */
function slowModel(model: ModelServer): { asked: () => string[]; release: () => void } {
  const { promise: released, resolve } = Promise.withResolvers<undefined>();
  model.respondWith((response, request) => {
    if (!inputOf(request).startsWith('Slow')) {
      textResponse('Done.')(response, request);
      return;
    }
    const answer = writtenResponse();
    answer.response(response, request);
    void answer.write('Slowly').then(() => released.then(() => answer.end()));
  });
  return {
    asked: () => model.requests.map(inputOf),
    release: () => {
      resolve(undefined);
    },
  };
}

function inputOf({ messages }: ModelRequest): string {
  return messages.at(-1)?.content ?? '';
}

async function startRuns(
  user: Client,
  agent: Schemas['Agent'],
  inputs: readonly string[],
): Promise<Schemas['Run'][]> {
  const runs: Schemas['Run'][] = [];
  for (const input of inputs) runs.push((await runAgent(user, agent, input, { headers: later })).body);
  return runs;
}

function slow(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `Slow ${i + 1}`);
}

const other = await startModelServer();
/** A server with one worker for each runtime. */
const single = await startWithModel({
  ...{ AGENT_CONCURRENCY: '1', AGENT_RUNTIME_OTHER_URL: other.url },
  AGENT_RUNTIME_OTHER_MODEL: 'other-model',
});

/** Waits until the runs have ended, so that the next test finds the only worker free. */
async function untilEnded(user: Client, runs: readonly Schemas['Run'][]): Promise<void> {
  for (const run of runs) expect((await endedRun(user, run)).status).toBe('completed');
}

spec('runAgent', 200, 'a run does not wait for thirty slow runs of another user', async () => {
  const { model, server, alice, agent } = await startWithModel({ AGENT_CONCURRENCY: '6' });
  const { asked, release } = slowModel(model);
  const slowRuns = await startRuns(alice, agent, slow(30));
  await expect.poll(asked).toHaveLength(4);

  const bob = await server.as('bob');
  const { body } = await runAgent(bob, await createAgent(bob, { runtime: 'local' }), 'Quick');

  expect(body).toMatchObject({ status: 'completed', output: 'Done.' });
  expect(asked()).toHaveLength(5);
  release();
  await untilEnded(alice, slowRuns);
});

it('a free worker takes the next run of the user with the fewest active runs', async () => {
  const { model, server, alice, agent } = await startWithModel({ AGENT_CONCURRENCY: '2' });
  const { asked, release } = slowModel(model);
  await startRuns(alice, agent, slow(3));
  await expect.poll(asked).toHaveLength(2);
  const bob = await server.as('bob');
  const [ofBob] = await startRuns(bob, await createAgent(bob, { runtime: 'local' }), ['Slow, of Bob']);
  const [first] = (await alice.ok('listRuns', { query: { status: 'running' } })).body.runs;

  await alice.ok('cancelRun', { id: first?.id ?? '' });

  await expect.poll(asked).toHaveLength(3);
  expect(asked().at(-1)).toBe('Slow, of Bob');
  release();
  expect(ofBob === undefined ? undefined : (await endedRun(bob, ofBob)).status).toBe('completed');
});

spec('runAgent', 200, 'a run does not wait for a run whose model is silent', async () => {
  const { model, server, alice } = single;
  const { run, release } = await startedRun(single, 'silent');
  model.respondWith(textResponse('Done.'));
  const bob = await server.as('bob');

  const { body } = await runAgent(bob, await createAgent(bob, { runtime: 'local' }), 'Quick');

  expect(body).toMatchObject({ status: 'completed', output: 'Done.' });
  release();
  await untilEnded(alice, [run]);
});

describe.each([
  ['builtin', {}],
  ['other', { output: 'Done.' }],
])('while runs of models take all workers of a runtime', (runtime, result) => {
  spec('runAgent', 200, `a run of the runtime ${runtime} ends`, async () => {
    other.respondWith(textResponse('Done.'));
    const { model, alice, agent } = single;
    const { asked, release } = slowModel(model);
    const runs = await startRuns(alice, agent, slow(2));
    await expect.poll(asked).toHaveLength(1);

    const { body } = await runAgent(alice, await createAgent(alice, { runtime }), 'list my tasks');

    expect(body).toMatchObject({ status: 'completed', ...result });
    release();
    await untilEnded(alice, runs);
  });
});

spec('runAgent', 200, 'a run that waits for its model leaves its worker, and streams say so', async () => {
  const { model, server, alice, agent } = single;
  model.respondWith(errorResponse(503, { 'Retry-After': '50' }), textResponse('Hello.'));
  const { body: run } = await runAgent(alice, agent, 'Hi', { headers: later });
  await expect.poll(() => model.requests).toHaveLength(1);

  const { body } = await runAgent(alice, agent, 'Hi too');

  expect(body).toMatchObject({ status: 'completed', output: 'Hello.' });
  const stream = await openRunStream(server, run.id);
  await stream.until(() => stream.events.length === 3);
  expect(stream.events).toMatchObject([
    { event: 'run.started', data: { status: 'running' } },
    { event: 'message' },
    { event: 'run.waiting', data: { run_id: run.id, reason: 'model_busy' } },
  ]);
  await alice.ok('cancelRun', { id: run.id });
});
