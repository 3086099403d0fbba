import { expect, it } from 'vitest';
import type { Schemas } from '../../server/src/contract/operation.ts';
import { createAgent, endedRun, messagesOf, runAgent } from '../support/agents.ts';
import { chunksResponse, errorResponse, modelEnv, textResponse } from '../support/model-server.ts';
import { runCli } from '../support/process.ts';
import { engine, isShareable, startTestServer } from '../support/server.ts';
import { startWithModel } from '../support/with-model.ts';

const later = { Prefer: 'respond-async' };

/** What a test needs of a server with a model, with the environment of commands on its database. */
async function start() {
  const started = await startWithModel();
  const env = { ...started.server.env, ...modelEnv(started.model) };
  const statusOf = async ({ id }: Schemas['Run']): Promise<string> =>
    (await started.alice.ok('getRun', { id })).body.status;
  return { ...started, env, statusOf };
}

// A command cannot open the embedded database while a server uses it.
it.runIf(isShareable)(
  'runs pause lets the runs of a runtime wait, and runs resume ends the wait',
  async () => {
    const { env, model, alice, agent, statusOf } = await start();
    model.respondWith(textResponse('Done.'));

    const paused = await runCli(['runs', 'pause', '--runtime', 'local'], env);
    const { body: run } = await runAgent(alice, agent, 'Hi', { headers: later });
    const { body: builtin } = await runAgent(alice, await createAgent(alice), 'list my tasks');

    expect(paused).toEqual({ code: 0, output: 'No server begins runs of local until they are resumed.\n' });
    expect(builtin.status).toBe('completed');
    expect(model.requests).toEqual([]);
    expect(await statusOf(run)).toBe('queued');
    const resumed = await runCli(['runs', 'resume'], env);
    expect(resumed).toEqual({ code: 0, output: 'Runs of all runtimes begin again.\n' });
    expect((await endedRun(alice, run)).output).toBe('Done.');
  },
);

it.runIf(engine === 'postgres')(
  'runs pause lets a run that waits for its model keep waiting, and a cancelled run does not block its session',
  async () => {
    const { env, model, alice, agent, statusOf } = await start();
    model.respondWith(errorResponse(503, { 'Retry-After': '1' }));
    const context = { session_id: 'paused' };
    const { body: run } = await runAgent(alice, agent, 'Hi', { context, headers: later });
    await expect.poll(() => model.requests.length).toBeGreaterThan(0);
    await runCli(['runs', 'pause'], env);
    const { body: next } = await runAgent(alice, agent, 'Next', { context, headers: later });

    await alice.ok('cancelRun', { id: run.id });
    model.respondWith(textResponse('Done.'));
    expect((await runCli(['doctor'], env)).output).toContain('Runs of all runtimes are paused.');
    const resumedOne = await runCli(['runs', 'resume', '--runtime', 'local'], env);

    expect(resumedOne).toEqual({
      code: 1,
      output: 'All runtimes are paused. Resume them together, without --runtime.\n',
    });
    expect(await statusOf(next)).toBe('queued');
    await runCli(['runs', 'resume'], env);
    expect((await endedRun(alice, next)).output).toBe('Done.');
  },
);

it.runIf(isShareable)('runs retry tries waiting runs at once', async () => {
  const { env, model, alice, agent, statusOf } = await start();
  model.respondWith(errorResponse(503, { 'Retry-After': '60' }), textResponse('Done.'));
  const { body: run } = await runAgent(alice, agent, 'Hi', { headers: later });
  await expect.poll(() => model.requests.length).toBe(1);
  await expect.poll(() => statusOf(run)).toBe('running');

  await expect
    .poll(async () => (await runCli(['runs', 'retry', '--runtime', 'local'], env)).output)
    .toBe('Waiting runs that are tried at once: 1. Failed runs that are tried again: 0.\n');

  expect((await endedRun(alice, run)).output).toBe('Done.');
});

it('runs retry queues runs again that failed because of their model server, unless their user has gone on or deleted their agent', async () => {
  const { env, model, server, alice, agent } = await start();
  const begun = { choices: [{ index: 0, delta: { content: 'Hello wor' } }] };
  model.respondWith(chunksResponse(begun, { error: { code: 401, message: 'Wrong key.' } }));
  const [retried, abandoned] = [{ session_id: 'retried' }, { session_id: 'abandoned' }];
  const { body: run } = await runAgent(alice, agent, 'Hi', { context: retried });
  const { body: other } = await runAgent(alice, agent, 'Hi', { context: abandoned });
  const deleted = await createAgent(alice, { runtime: 'local' });
  const { body: ofDeleted } = await runAgent(alice, deleted, 'Hi');
  await alice.ok('deleteAgent', { id: deleted.id });
  model.respondWith(textResponse('Hello world.'));
  await runAgent(alice, agent, 'Hi again', { context: abandoned });
  for (const failed of [run, other, ofDeleted]) expect(failed.error?.code).toBe('runtime_error');
  await server.close();

  const { output } = await runCli(['runs', 'retry'], env);

  expect(output).toBe('Waiting runs that are tried at once: 0. Failed runs that are tried again: 1.\n');
  const again = await (await startTestServer({ sharing: server, env: modelEnv(model) })).as('alice');
  const { status, error, output: text } = await endedRun(again, run);
  expect([status, error, text]).toEqual(['completed', null, 'Hello world.']);
  expect(await messagesOf(again, 'retried')).toMatchObject([
    { role: 'user' },
    { content: 'Hello wor', partial: true },
    { content: 'Hello world.', partial: false },
  ]);
  await runAgent(again, agent, 'Hi again', { context: retried });
  const [, ...sent] = model.requests.at(-1)?.messages ?? [];
  expect(sent.map(({ content }) => content)).toEqual(['Hi', 'Hello world.', 'Hi again']);
  for (const { id } of [other, ofDeleted])
    expect((await again.ok('getRun', { id })).body.status).toBe('failed');
});
