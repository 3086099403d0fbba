import { expect, it } from 'vitest';
import { createAgent, messagesOf } from '../../support/agents.ts';
import { startBrowserMcpServer } from '../../support/browser-mcp-server.ts';
import type { Client } from '../../support/client.ts';
import { processEnv, untilKilled } from '../../support/killed-servers.ts';
import { modelEnv, startModelServer, textResponse, toolCallResponse } from '../../support/model-server.ts';
import { resultResponse, startScriptedMcpServer, toolNamed } from '../../support/scripted-mcp-server.ts';
import { createDatabase, startTestServer } from '../../support/server.ts';

const begin = 'update runs set begun_call_id';
const message = 'insert into messages';
const done = /^Done\.$/;
const unknown = /^The outcome of this call is unknown/;

/** Starts a run whose agent has the tools of the MCP server `files`. */
async function start(alice: Client): Promise<void> {
  const { id } = await createAgent(alice, { runtime: 'local', skills: ['mcp:files'] });
  const body = { input: 'Do it', context: { session_id: 'killed' } };
  await alice.ok('runAgent', { id, body, headers: { Prefer: 'respond-async' } });
}

/** A model server, and the environment of servers that use it and have an MCP server as the skill `files`. */
async function environment(files: { readonly url: string }) {
  const model = await startModelServer();
  const skill = { MCP_SKILL_FILES_URL: files.url, MCP_SKILL_FILES_APPROVAL: 'never' };
  return { model, env: processEnv(await createDatabase(), modelEnv(model), skill) };
}

/** Waits until the session has this status. Resolves to the results of its calls. */
async function resultsOf(alice: Client, status: 'idle' | 'failed'): Promise<string[]> {
  await expect.poll(async () => (await alice.ok('getSession', { id: 'killed' })).body.status).toBe(status);
  const messages = await messagesOf(alice, 'killed');
  return messages.flatMap(({ role, content }) => (role === 'tool' ? [content] : []));
}

/** Where the process is killed, how often the call is made in total, and the result that the model gets. */
const kills: readonly (readonly [
  title: string,
  annotations: object,
  kill: readonly [at: string, statement: string],
  calls: number,
  result: RegExp,
])[] = [
  ['before it begins, is made once', {}, ['before 1', begin], 1, done],
  ['after it has begun and before it is sent, is not made', {}, ['after 1', begin], 0, unknown],
  ['after it was made, is not made again', {}, ['before 3', message], 1, unknown],
  ['after it was made, is made again', { readOnlyHint: true }, ['before 3', message], 2, done],
  ['after it was made, is made again', { idempotentHint: true }, ['before 3', message], 2, done],
];

it.each(kills)('a call whose process is killed %s: %j', async (_title, annotations, kill, calls, result) => {
  const files = await startScriptedMcpServer([toolNamed('write', annotations)], resultResponse('Done.'));
  const { model, env } = await environment(files);
  model.respondWith(toolCallResponse('files__write', {}), textResponse('Finished.'));
  await untilKilled(env, kill, start);

  const server = await startTestServer({ sharing: { env } });

  expect(await resultsOf(await server.as('alice'), 'idle')).toEqual([expect.stringMatching(result)]);
  expect(files.calls).toHaveLength(calls);
});

it('a call that has begun has a result, even if its run is overdue when a server comes back', async () => {
  const files = await startScriptedMcpServer([toolNamed('write')], resultResponse('Done.'));
  const { model, env } = await environment(files);
  model.respondWith(toolCallResponse('files__write', {}));
  await untilKilled(env, ['before 3', message], start);

  const server = await startTestServer({ sharing: { env }, env: { AGENT_RUN_TIMEOUT: '1ms' } });

  const sentence = /^The run ended during this call\. The outcome of this call is unknown/;
  expect(await resultsOf(await server.as('alice'), 'failed')).toEqual([expect.stringMatching(sentence)]);
});

it('a run that continues after a kill opens another session', async () => {
  const browser = await startBrowserMcpServer();
  const { model, env } = await environment(browser);
  const openPage = (page: string) => toolCallResponse('files__open_page', { page });
  const readPage = toolCallResponse('files__read_page', {});
  model.respondWith(openPage('a'), openPage('b'), readPage, readPage, textResponse('Finished.'));
  // The fifth message has the result of the second call.
  await untilKilled(env, ['before 5', message], start);

  const server = await startTestServer({ sharing: { env } });

  expect(await resultsOf(await server.as('alice'), 'idle')).toEqual([
    'The page is a.',
    expect.stringMatching(unknown),
    'The page is about:blank.',
    'The page is about:blank.',
  ]);
  expect(browser.visited).toEqual(['a', 'b']);
});
