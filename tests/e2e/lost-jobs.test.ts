import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { describe, it } from 'vitest';
import { createAgent, finishedSession, messagesOf, noLimits, runAgent } from '../support/agents.ts';
import type { Client } from '../support/client.ts';
import { modelEnv, textResponse, startModelServer, type ModelServer } from '../support/model-server.ts';
import { run } from '../support/postgres.ts';
import { startProcess } from '../support/process.ts';
import { createDatabase, startTestServer } from '../support/server.ts';
import { secret } from '../support/tokens.ts';

const losses = [
  ['have been deleted', () => `delete from pgboss.job where name = 'runs'`],
  [
    'have been deleted or have executed an older run of their session',
    ([first = '', second = '']: readonly string[]) => `
      delete from pgboss.job where data->>'runId' = '${first}';
      update pgboss.job set state = 'completed', started_on = now(), completed_on = now()
      where data->>'runId' = '${second}'`,
  ],
] as const;

describe.concurrent('unfinished runs', () => {
  it.for(losses)('whose jobs %s are executed in order after the next start', async ([, lose], { expect }) => {
    const database = await createDatabase();
    const model = await startModelServer();
    const env = {
      ...{ ...database.env, ...noLimits, ...modelEnv(model) },
      ...{ JWT_SECRET: secret, LOG_LEVEL: 'error', AGENT_CONCURRENCY: '1' },
    };

    const runs = await startAndKill(env, model);
    await execute(env, lose(runs));
    model.respondWith((response, request) => {
      textResponse(`Answer to ${request.messages.at(-1)?.content ?? ''}`)(response, request);
    });
    const server = await startTestServer({ sharing: { env } });

    const alice = await server.as('alice');
    await expect
      .poll(() => answersIn(alice, ['one', 'two']), { interval: 200 })
      .toEqual([
        [runs[0], 'Answer to A'],
        [runs[1], 'Answer to B'],
        [runs[2], 'Answer to C'],
        [runs[3], 'Answer to D'],
      ]);
    expect((await finishedSession(alice, 'two')).run).toMatchObject({ id: runs[3], status: 'completed' });
  });
});

/** Starts A and B in one session, and C and D in another. The process is killed before its model responds. */
async function startAndKill(env: Record<string, string>, model: ModelServer): Promise<string[]> {
  const requestReceived = Promise.withResolvers<undefined>();
  model.respondWith(() => {
    requestReceived.resolve(undefined);
  });
  const server = await startProcess(env);
  const alice = await server.as('alice');
  const agent = await createAgent(alice, { runtime: 'local', skills: [] });
  const ids: string[] = [];
  for (const [input, sessionId] of Object.entries({ A: 'one', B: 'one', C: 'two', D: 'two' })) {
    const started = { context: { session_id: sessionId }, headers: { Prefer: 'respond-async' } };
    ids.push((await runAgent(alice, agent, input, started)).body.id);
  }
  await requestReceived.promise;
  await server.stop('SIGKILL');
  return ids;
}

/** The assistant messages of the sessions, each with its run's id. */
async function answersIn(client: Client, sessions: readonly string[]): Promise<[string, string][]> {
  const answers: [string, string][] = [];
  for (const session of sessions) {
    const messages = await messagesOf(client, session);
    for (const { role, run_id: runId, content } of messages)
      if (role === 'assistant') answers.push([runId, content]);
  }
  return answers;
}

/** Executes statements in the database of a stopped server. */
async function execute(env: Readonly<Record<string, string>>, statements: string): Promise<void> {
  if (env['DATABASE_URL'] !== undefined) {
    await run(env['DATABASE_URL'], statements);
    return;
  }
  const pglite = await PGlite.create(join(env['DATA_DIR'] ?? '', 'database'));
  await pglite.exec(statements);
  await pglite.close();
}
