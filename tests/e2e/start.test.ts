import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import { localToken, refusalOf, type RunningProcess, startProcess } from '../support/process.ts';
import { createDatabase, engine, startTestServer } from '../support/server.ts';
import { createTask } from '../support/tasks.ts';
import { createAgent, finishedSession, messagesOf, noLimits, runAgent } from '../support/agents.ts';
import {
  errorResponse,
  modelEnv,
  type ModelResponse,
  startModelServer,
  textResponse,
  toolCallResponse,
} from '../support/model-server.ts';
import { secret } from '../support/tokens.ts';

const database = await createDatabase();

it('a server process keeps its local key and acknowledged data over SIGTERM and SIGKILL', async () => {
  const first = await startProcess(database.env);
  const token = await localToken(database.env);
  const task = await createTask(new Client(first, token), { title: 'Still here' });
  expect(await first.stop('SIGTERM')).toBe(0);

  const second = await startProcess(database.env);
  const me = new Client(second, token);
  expect((await me.ok('getTask', { id: task.id })).body.task).toEqual(task);
  const tasks = await Promise.all(
    Array.from({ length: 10 }, () => createTask(me, { workspace_id: 'killed' })),
  );
  await second.stop('SIGKILL');

  const third = await startProcess(database.env);
  const { body } = await new Client(third, token).ok('listTasks', {
    query: { workspace_id: 'killed' },
  });
  expect(body.tasks.map(({ id }) => id).sort()).toEqual(tasks.map(({ id }) => id).sort());
  expect(await third.stop('SIGINT')).toBe(0);
});

describe.runIf(engine === 'pglite')('the data folder of a running server', () => {
  let server: RunningProcess;

  beforeAll(async () => {
    server = await startProcess(database.env);
  });

  afterAll(async () => {
    await server.stop('SIGTERM');
  });

  it('holds a database that other users of the machine cannot read', async () => {
    const { mode } = await stat(join(database.env['DATA_DIR'] ?? '', 'database'));

    expect(mode & 0o007).toBe(0);
  });

  it('is refused to a second process with a sentence', async () => {
    expect(await refusalOf(['serve'], { ...database.env, PORT: '0' })).toMatch(
      /^Another process uses the data folder \S+\. Stop it, or set DATA_DIR to another folder\.$/m,
    );
  });
});

const silent: ModelResponse = () => undefined;

it.each([
  ['is slow', 'alice', silent],
  ['is busy', 'bob', errorResponse(503, { 'Retry-After': '6' })],
])(
  'a run whose model %s continues in the next process when the server is stopped, and a waiting request is answered 202',
  async (_name, user, response) => {
    const model = await startModelServer();
    const env = {
      ...database.env,
      ...noLimits,
      ...modelEnv(model),
      JWT_SECRET: secret,
      LOG_LEVEL: 'error',
    };
    const first = await startProcess(env);
    const alice = await first.as(user);
    const agent = await createAgent(alice, { runtime: 'local', skills: ['tasks'] });
    const secondRequest = Promise.withResolvers<undefined>();
    model.respondWith(toolCallResponse('create_task', { title: 'Once' }), (...exchange) => {
      response(...exchange);
      secondRequest.resolve(undefined);
    });
    const waiting = runAgent(alice, agent, 'Do it', { context: { session_id: 'stopped' } });
    await secondRequest.promise;

    const exitCode = first.stop('SIGTERM');

    expect((await waiting).status).toBe(202);
    expect(await exitCode).toBe(0);
    model.respondWith(textResponse('Done.'));
    const second = await startTestServer({ sharing: { env } });
    const sameUser = await second.as(user);
    expect((await finishedSession(sameUser, 'stopped')).run).toMatchObject({
      status: 'completed',
      output: 'Done.',
    });
    expect((await messagesOf(sameUser, 'stopped')).map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
    ]);
    expect((await sameUser.ok('listTasks')).body.count).toBe(1);
  },
);
