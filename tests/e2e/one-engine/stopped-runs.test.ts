import { expect, it } from 'vitest';
import { createAgent, finishedSession, messagesOf, runAgent } from '../../support/agents.ts';
import { processEnv } from '../../support/killed-servers.ts';
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

const silent: ModelResponse = () => undefined;

it.each([
  ['is slow', silent],
  ['is busy', errorResponse(503, { 'Retry-After': '6' })],
])(
  'a run whose model %s continues in the next process when the server is stopped, and a waiting request is answered 202',
  async (_name, response) => {
    const model = await startModelServer();
    const env = processEnv(await createDatabase(), modelEnv(model));
    const first = await startProcess(env);
    const alice = await first.as('alice');
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
    const sameUser = await second.as('alice');
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
