import { describe, expect, it } from 'vitest';
import { createAgent, messagesOf, noLimits } from '../../support/agents.ts';
import { Client } from '../../support/client.ts';
import { killedAt, noticeDeadWorkers } from '../../support/killed-servers.ts';
import {
  modelEnv,
  startModelServer,
  textResponse,
  toolCallResponse,
  type ModelServer,
} from '../../support/model-server.ts';
import { startProcess } from '../../support/process.ts';
import {
  resultResponse,
  startScriptedMcpServer,
  toolNamed,
  type ScriptedMcpServer,
} from '../../support/scripted-mcp-server.ts';
import { createDatabase, startTestServer, type TestDatabase } from '../../support/server.ts';
import { secret, tokenFor } from '../../support/tokens.ts';

const begin = 'update runs set begun_call_id';
const toolMessage = 'insert into messages';
const done = /^Done\.$/;
const unknown = /^The outcome of this call is unknown/;

/**
 * At which statement the process is killed, how often the call has then been made in all, and what its message says.
 */
const kills: readonly (readonly [
  title: string,
  annotations: object,
  kill: readonly [at: string, statement: string],
  calls: number,
  result: RegExp,
])[] = [
  ['before it begins, is made once', {}, ['before 1', begin], 1, done],
  ['after it has begun and before it is sent, is not made', {}, ['after 1', begin], 0, unknown],
  ['after it was made, is not made again', {}, ['before 3', toolMessage], 1, unknown],
  ['after it was made, is made again', { readOnlyHint: true }, ['before 3', toolMessage], 2, done],
  ['after it was made, is made again', { idempotentHint: true }, ['before 3', toolMessage], 2, done],
];

describe.each(kills)(
  'a call whose process is killed',
  (title, annotations, [at, statement], calls, result) => {
    it(`${title} (${JSON.stringify(annotations)})`, async () => {
      const database = await createDatabase();
      const files = await startScriptedMcpServer([toolNamed('write', annotations)], resultResponse('Done.'));
      const model = await startModelServer();
      const env = environment(database, files, model);
      model.respondWith(toolCallResponse('files__write', {}), textResponse('Finished.'));
      const killed = await startProcess({ ...env, ...killedAt(at, statement) });
      await start(killed.url);
      expect(await killed.exited).toBeNull();
      await noticeDeadWorkers(env);

      const server = await startTestServer({ sharing: { env } });
      const alice = await server.as('alice');

      await expect
        .poll(async () => (await alice.ok('getSession', { id: 'killed' })).body.status)
        .toBe('idle');
      const results = (await messagesOf(alice, 'killed')).filter(({ role }) => role === 'tool');
      expect(files.calls).toHaveLength(calls);
      expect(results.map(({ content }) => content)).toEqual([expect.stringMatching(result)]);
    });
  },
);

it('a call that has begun has a result, although its run is overdue when a server comes back', async () => {
  const database = await createDatabase();
  const files = await startScriptedMcpServer([toolNamed('write')], resultResponse('Done.'));
  const model = await startModelServer();
  const env = environment(database, files, model);
  model.respondWith(toolCallResponse('files__write', {}));
  const killed = await startProcess({ ...env, ...killedAt('before 3', toolMessage) });
  await start(killed.url);
  expect(await killed.exited).toBeNull();
  await noticeDeadWorkers(env);

  const server = await startTestServer({ sharing: { env }, env: { AGENT_RUN_TIMEOUT_MS: '1' } });
  const alice = await server.as('alice');

  await expect.poll(async () => (await alice.ok('getSession', { id: 'killed' })).body.status).toBe('failed');
  const results = (await messagesOf(alice, 'killed')).filter(({ role }) => role === 'tool');
  expect(results.map(({ content }) => content)).toEqual([expect.stringMatching(unknown)]);
});

function environment(
  database: TestDatabase,
  files: ScriptedMcpServer,
  model: ModelServer,
): Record<string, string> {
  return {
    ...{ ...database.env, ...noLimits, ...modelEnv(model), JWT_SECRET: secret, LOG_LEVEL: 'error' },
    ...{ MCP_SKILLS: 'files', MCP_SKILL_FILES_URL: files.url, MCP_SKILL_FILES_APPROVAL: 'never' },
  };
}

/** The server may be killed before it answers the request. */
async function start(url: string): Promise<void> {
  const alice = new Client({ url }, await tokenFor('alice'));
  const { id } = await createAgent(alice, { runtime: 'local', skills: ['mcp:files'] });
  const body = { input: 'Write', context: { session_id: 'killed' } };
  await alice.ok('runAgent', { id, body, headers: { Prefer: 'respond-async' } }).catch(() => undefined);
}
