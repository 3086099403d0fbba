import { expect, it } from 'vitest';
import { createAgent, messagesOf, noLimits } from '../../support/agents.ts';
import { startBrowserMcpServer } from '../../support/browser-mcp-server.ts';
import { Client } from '../../support/client.ts';
import { killedAt, noticeDeadWorkers } from '../../support/killed-servers.ts';
import { modelEnv, startModelServer, textResponse, toolCallResponse } from '../../support/model-server.ts';
import { startProcess } from '../../support/process.ts';
import { createDatabase, startTestServer } from '../../support/server.ts';
import { secret, tokenFor } from '../../support/tokens.ts';

const openPage = (page: string) => toolCallResponse('browser__open_page', { page });
const readPage = toolCallResponse('browser__read_page', {});

it('a run that continues after a kill opens another session, and tells its model so once', async () => {
  const database = await createDatabase();
  const [browser, model] = [await startBrowserMcpServer(), await startModelServer()];
  const env = {
    ...{ ...database.env, ...noLimits, ...modelEnv(model), JWT_SECRET: secret, LOG_LEVEL: 'error' },
    ...{ MCP_SKILLS: 'browser', MCP_SKILL_BROWSER_URL: browser.url, MCP_SKILL_BROWSER_APPROVAL: 'never' },
  };
  model.respondWith(openPage('a'), openPage('b'), readPage, readPage, textResponse('Finished.'));
  // The fifth message is the result of the second call.
  const killed = await startProcess({ ...env, ...killedAt('before 5', 'insert into messages') });
  const session = await start(killed.url);
  expect(await killed.exited).toBeNull();
  await noticeDeadWorkers(env);

  const server = await startTestServer({ sharing: { env } });
  const alice = await server.as('alice');

  await expect.poll(async () => (await alice.ok('getSession', session)).body.status).toBe('idle');
  const messages = await messagesOf(alice, session.id);
  expect(messages.filter(({ role }) => role === 'tool').map(({ content }) => content)).toEqual([
    'The page is a.',
    expect.stringMatching(/^The outcome of this call is unknown/),
    'The connection to the MCP server "browser" was opened again; state that it kept is lost.\nThe page is about:blank.',
    'The page is about:blank.',
  ]);
  expect(browser.visited).toEqual(['a', 'b']);
});

/** The server may be killed before it answers the request. */
async function start(url: string): Promise<{ readonly id: string }> {
  const alice = new Client({ url }, await tokenFor('alice'));
  const { id } = await createAgent(alice, { runtime: 'local', skills: ['mcp:browser'] });
  const body = { input: 'Browse', context: { session_id: 'killed' } };
  await alice.ok('runAgent', { id, body, headers: { Prefer: 'respond-async' } }).catch(() => undefined);
  return { id: 'killed' };
}
