import { describe, expect, it } from 'vitest';
import type { Schemas } from '../../../server/src/contract/operation.ts';
import {
  createAgent,
  endedRun,
  finishedSession,
  messagesOf,
  runAgent,
  startRun,
} from '../../support/agents.ts';
import { waitingRun } from '../../support/approvals.ts';
import type { Client } from '../../support/client.ts';
import { whileLocked } from '../../support/locks.ts';
import { errorResponse, textResponse } from '../../support/model-server.ts';
import { run as query } from '../../support/postgres.ts';
import { openRunStream } from '../../support/run-stream.ts';
import { engine } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';
import { startedRun, startWithModel } from '../../support/with-model.ts';
import { slowModel } from '../../support/writing-model.ts';

async function startRuns(
  user: Client,
  agent: Schemas['Agent'],
  inputs: readonly string[],
): Promise<Schemas['Run'][]> {
  const runs: Schemas['Run'][] = [];
  for (const input of inputs) runs.push(await startRun(user, agent, input));
  return runs;
}

function slow(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `Slow ${i + 1}`);
}

/** A server with one worker for each runtime, and its log. */
const log: string[] = [];
const single = await startWithModel({ AGENT_CONCURRENCY: '1', LOG_LEVEL: 'warn' }, {}, {}, log);

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

spec('runAgent', 200, 'a run does not wait for runs that take all workers of another runtime', async () => {
  const { model, alice, agent } = single;
  const { asked, release } = slowModel(model);
  const runs = await startRuns(alice, agent, slow(2));
  await expect.poll(asked).toHaveLength(1);

  const { body } = await runAgent(alice, await createAgent(alice), 'list my tasks');

  expect(body.status).toBe('completed');
  release();
  await untilEnded(alice, runs);
});

spec('runAgent', 200, 'a run that waits for its model leaves its worker, and streams say so', async () => {
  const { model, server, alice, agent } = single;
  model.respondWith(errorResponse(503, { 'Retry-After': '50' }), textResponse('Hello.'));
  const run = await startRun(alice, agent, 'Hi');
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

const url = single.server.env['DATABASE_URL'] ?? '';

describe.runIf(engine === 'postgres')('a run that cannot be leased', () => {
  it('is retried, and the log contains the cause', async () => {
    const { model, alice, agent } = single;
    model.respondWith(textResponse('Done.'));
    await query(
      url,
      `create function refuse() returns trigger language plpgsql as $$ begin raise 'refused by the test'; end $$;
       create trigger refuse before update on runs for each row execute function refuse()`,
    );

    const run = await startRun(alice, agent, 'Hi', 'refused');

    const line = () => log.find((each) => each.includes('refused by the test') && each.includes(run.id));
    await expect.poll(line).toBeDefined();
    expect(JSON.parse(line() ?? '')).toMatchObject({ level: 40, session_id: 'refused', user: 'alice' });
    await query(url, 'drop trigger refuse on runs');
    expect((await finishedSession(alice, 'refused')).run).toMatchObject({ id: run.id, output: 'Done.' });
  });

  spec('getRun', 200, 'because it waits for decisions is not started again', async () => {
    const { alice } = single;
    const run = await waitingRun(alice, await createAgent(alice, { approvals: ['*'] }), 'Asked');
    const ended = `session_id = '${run.session_id}' and runtime is null`;
    const countEnded = async () => (await query(url, `select from session_turns where ${ended}`)).rowCount;
    await expect.poll(countEnded).toBe(1);

    // As if the worker had died before it ended its turn.
    await query(url, `update session_turns set runtime = 'builtin', run_after = now() where ${ended}`);

    await expect.poll(countEnded).toBe(1);
    expect((await alice.ok('getRun', { id: run.id })).body).toEqual(run);
  });

  spec('getRun', 200, 'because it is being finished is not started again, and the next one is', async () => {
    const { server, alice, agent } = single;
    const { release } = await startedRun(single, 'first');
    const finished = await startRun(alice, agent, 'One', 'finished');
    const next = await startRun(alice, agent, 'Two', 'finished');

    const finish = `
      update runs set status = 'failed', error = '{"code":"timeout","message":"x"}', completed_at = now()
      where id = '${finished.id}'`;
    await whileLocked(server, finish, async (transaction) => {
      release();
      await transaction.waitUntilSomeoneWaits();
      await transaction.query('commit');
    });

    expect((await endedRun(alice, next)).status).toBe('completed');
    expect((await endedRun(alice, finished)).status).toBe('failed');
    const roles = (await messagesOf(alice, 'finished')).map(({ role }) => role);
    expect(roles).toEqual(['user', 'user', 'assistant']);
  });
});
