import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { agentTools } from '../../../server/src/tools/catalogue.ts';
import { createAgent, finishedSession, messagesOf, runAgent } from '../../support/agents.ts';
import { decide } from '../../support/approvals.ts';
import type { Client } from '../../support/client.ts';
import { killedAt, processEnv, untilKilled } from '../../support/killed-servers.ts';
import {
  errorResponse,
  modelEnv,
  type ModelResponse,
  startModelServer,
  textResponse,
  toolCallResponse,
} from '../../support/model-server.ts';
import { startProcess } from '../../support/process.ts';
import { createDatabase, startTestServer } from '../../support/server.ts';
import { writtenResponse } from '../../support/writing-model.ts';
import { auditLog, createTask } from '../../support/tasks.ts';
import { secret } from '../../support/tokens.ts';
import { onServer } from '../../support/user-data.ts';

const context = { session_id: 'killed' };
const message = 'insert into messages';

const run = (input: string) => async (alice: Client) =>
  runAgent(alice, await createAgent(alice), input, { context });

it('every tool that changes tasks takes effect once, even if its process is killed before the result is written', async () => {
  const input =
    'create a task titled First; comment on First: Hi; assign First to bob; complete First; delete First';
  const env = processEnv(await createDatabase());
  const killed: string[] = [];
  const kill = async (at: string, request?: (alice: Client) => Promise<unknown>): Promise<void> => {
    await untilKilled(env, [at, message], request);
    killed.push(new Date().toISOString());
  };

  // The first process writes the input, and the second one step of the model. Each other process writes four messages
  // before it is killed: a result, a step, a found task and another step.
  await untilKilled(env, ['before 2', message], run(input));
  await kill('before 2');
  for (let n = 0; n < 3; n += 1) await kill('before 5');
  await kill('before 5', approve);

  const alice = await (await startTestServer({ sharing: { env } })).as('alice');
  const session = await finishedSession(alice, 'killed');
  const messages = await messagesOf(alice, 'killed');
  const entries = (await alice.ok('listChanges', { query: { after: '0' } })).body.changes;
  expect(session.run?.status).toBe('completed');
  expect(entries.map(({ action }) => action)).toEqual(['create', 'comment', 'assign', 'update', 'delete']);
  // The change of a killed process is rolled back with its message, so the next process has made the change.
  for (const [n, { action, created_at: at }] of entries.entries())
    expect(at > (killed[n] ?? ''), `${action} is one with the message of its result`).toBe(true);
  expect(messages.filter(({ is_error: isError }) => isError)).toEqual([]);
  const called = messages.flatMap(({ tool_calls: calls }) => calls ?? []).map(({ name }) => name);
  const changing = agentTools.filter(({ effect }) => effect !== 'reads').map(({ name }) => name);
  const uncalled = changing.filter((name) => !called.includes(name));
  expect(uncalled, 'Let the run of this test call these tools.').toEqual([]);
});

async function approve(alice: Client): Promise<void> {
  const latest = async () => (await alice.ok('getSession', { id: 'killed' })).body.run;
  await expect.poll(async () => (await latest())?.status).toBe('requires_action');
  const waiting = await latest();
  if (waiting !== null) await decide(alice, waiting, { approve: true });
}

it('a text that was written before its process was killed stays when its run is cancelled', async () => {
  const model = await startModelServer();
  const answer = writtenResponse();
  // The next process asks the model again, and gets no answer.
  model.respondWith(answer.response, () => undefined);
  const env = processEnv(await createDatabase(), modelEnv(model));
  // A growing preview is stored every second, so when the second one is due, the first one has been stored.
  const first = await startProcess({ ...env, ...killedAt('before 2', 'preview_id is distinct from') });
  const alice = await first.as('alice');
  const agent = await createAgent(alice, { runtime: 'local' });
  const later = { context, headers: { Prefer: 'respond-async' } };
  const { body: started } = await runAgent(alice, agent, 'Write', later);
  let written = '';
  const exited = first.exited.then(() => 'exited');
  do {
    written += 'word ';
    await answer.write('word ');
  } while ((await Promise.race([exited, pause(10)])) !== 'exited');
  const again = await (await startTestServer({ sharing: { env } })).as('alice');

  const { body } = await again.ok('cancelRun', { id: started.id });

  const [, kept, ...others] = await messagesOf(again, 'killed');
  expect(body.status).toBe('cancelled');
  expect(kept).toMatchObject({ role: 'assistant', partial: true, run_id: started.id });
  expect(written).toContain(kept?.content.trim());
  expect(kept?.content).toMatch(/^word /);
  expect(others).toEqual([]);
  model.respondWith(textResponse('Next.'));
  expect((await runAgent(again, agent, 'Again', { context })).body.output).toBe('Next.');
});

/** The statements of the batch at which a process is killed. */
const kills = [
  ['before 1', 'insert into idempotency_keys'],
  ['before 2', 'insert into tasks'],
  ['before 1', 'insert into task_counts'],
  ['after 1', 'insert into task_counts'],
] as const;

it('a batch takes effect once and as a whole, whenever its process is killed', async () => {
  const database = await createDatabase();
  const env = { ...database.env, JWT_SECRET: secret, LOG_LEVEL: 'error' };
  const { gone, moved } = await onServer(env, async (as) => ({
    gone: await createTask(await as('alice'), { title: 'Gone' }),
    moved: await createTask(await as('alice'), { title: 'Moved' }),
  }));
  const batch = {
    body: {
      create: [{ title: 'One' }, { title: 'Two' }],
      update: [{ id: moved.id, status: 'done' }],
      delete: [{ id: gone.id }],
    },
    headers: { 'Idempotency-Key': 'killed' },
  };

  for (const [at, statement] of kills) {
    const server = await startProcess({ ...env, ...killedAt(at, statement) });
    const client = await server.as('alice');
    await expect(client.send('batchTasks', batch), `${at} ${statement}`).rejects.toThrow();
    await server.exited;
    const isDone = at.startsWith('after');
    const titles = isDone ? ['Moved', 'One', 'Two'] : ['Gone', 'Moved'];
    await onServer(env, async (as) => {
      const { body } = await (await as('alice')).ok('listTasks', { query: { sort: 'title' } });
      expect(body.tasks.map(({ title }) => title)).toEqual(titles);
      expect(body.count).toBe(titles.length);
    });
  }
  await onServer(env, async (as) => {
    const client = await as('alice');
    const { body, headers } = await client.ok('batchTasks', batch);

    expect(headers.get('Idempotency-Replayed')).toBe('true');
    const statuses = [...body.create, ...body.update, ...body.delete].map(({ status }) => status);
    expect(statuses).toEqual([201, 201, 200, 200]);
    expect(await auditLog(client, moved.id)).toHaveLength(2);
    expect((await client.ok('countTasks')).body.count).toBe(3);
  });
});

const silent: ModelResponse = () => undefined;

it.each([
  ['is slow', silent],
  ['is busy', errorResponse(503, { 'Retry-After': '6' })],
])(
  'a run whose model %s continues in the next process when the server is stopped, and a waiting request is answered 202',
  async (_name, response) => {
    const model = await startModelServer();
    const env = processEnv(await createDatabase(), modelEnv(model));
    const listener = { shutdownTimeoutMs: 2000 };
    const first = await startTestServer({ sharing: { env }, changes: { listener } });
    const alice = await first.as('alice');
    const agent = await createAgent(alice, { runtime: 'local', skills: ['tasks'] });
    const secondRequest = Promise.withResolvers<undefined>();
    model.respondWith(toolCallResponse('create_task', { title: 'Once' }), (...exchange) => {
      response(...exchange);
      secondRequest.resolve(undefined);
    });
    const waiting = runAgent(alice, agent, 'Do it', { context: { session_id: 'stopped' } });
    await secondRequest.promise;

    const closed = first.close();

    expect((await waiting).status).toBe(202);
    await closed;
    model.respondWith(textResponse('Done.'));
    const second = await startTestServer({ sharing: { env } });
    const sameUser = await second.as('alice');
    const { run } = await finishedSession(sameUser, 'stopped');
    expect([run?.status, run?.output]).toEqual(['completed', 'Done.']);
    const roles = (await messagesOf(sameUser, 'stopped')).map(({ role }) => role);
    expect(roles).toEqual(['user', 'assistant', 'tool', 'assistant']);
    expect((await sameUser.ok('listTasks')).body.count).toBe(1);
  },
);
