import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAgent, finishedSession, messagesOf, noLimits, runAgent } from '../support/agents.ts';
import { Client } from '../support/client.ts';
import { callsTool, modelEnv, says, startModelServer } from '../support/model-server.ts';
import { startProcess } from '../support/process.ts';
import { createDatabase, type TestDatabase } from '../support/server.ts';
import { secret, tokenFor } from '../support/tokens.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase();
});

afterAll(() => database.drop());

it(
  'a run goes on in the next process when the server is stopped, and who waits is sent away',
  { timeout: 120_000 },
  async () => {
    const model = await startModelServer();
    const env = {
      ...database.env,
      ...noLimits,
      ...modelEnv(model),
      SHUTDOWN_TIMEOUT_MS: '2000',
      JWT_SECRET: secret,
      LOG_LEVEL: 'error',
    };
    const first = await startProcess(env);
    const alice = new Client(first.url, await tokenFor('alice'));
    const agent = await createAgent(alice, { runtime: 'local', skills: ['tasks'] });
    const askedTwice = Promise.withResolvers<undefined>();
    model.answers(callsTool('create_task', { title: 'Once' }), () => {
      askedTwice.resolve(undefined);
    });
    const waiting = runAgent(alice, agent, 'Do it', { context: { session_id: 'stopped' } });
    await askedTwice.promise;

    const code = first.stop('SIGTERM');

    expect((await waiting).status).toBe(202);
    expect(await code).toBe(0);
    model.answers(says('Done.'));
    const second = await startProcess(env);
    const again = new Client(second.url, await tokenFor('alice'));
    expect((await finishedSession(again, 'stopped')).run).toMatchObject({
      status: 'completed',
      output: 'Done.',
    });
    expect((await messagesOf(again, 'stopped')).map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
    ]);
    expect((await again.ok('listTasks')).body.count).toBe(1);
    await second.stop('SIGTERM');
  },
);
