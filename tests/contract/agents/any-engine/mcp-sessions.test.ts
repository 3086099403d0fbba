import { describe, expect } from 'vitest';
import type { Schemas } from '../../../../server/src/operation.ts';
import { endedRun, messagesOf, runAgent } from '../../../support/agents.ts';
import { decide } from '../../../support/approvals.ts';
import { startBrowserMcpServer } from '../../../support/browser-mcp-server.ts';
import type { Client } from '../../../support/client.ts';
import { startModelServer, textResponse, toolCallResponse } from '../../../support/model-server.ts';
import { spec } from '../../../support/spec.ts';
import { startWithMcpSkill } from '../../../support/with-mcp-skill.ts';

const model = await startModelServer();

const note =
  'The connection to the MCP server "files" was opened again; state that it kept is lost.\nThe page is';
const openPage = (page: string) => toolCallResponse('files__open_page', { page });
const readPage = toolCallResponse('files__read_page', {});

async function resultsOf(client: Client, run: Schemas['Run']): Promise<string[]> {
  const messages = await messagesOf(client, run.session_id);
  return messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
}

describe('the calls of a run to an MCP server', () => {
  spec('runAgent', 200, 'are made in one session, which ends with the run', async () => {
    const browser = await startBrowserMcpServer();
    const { alice, agent } = await startWithMcpSkill(model, browser);
    model.respondWith(openPage('a'), readPage, openPage('b'), readPage, textResponse('Finished.'));

    const { body: run } = await runAgent(alice, agent, 'Browse');
    const results = await resultsOf(alice, run);
    await expect.poll(browser.sessionsOpen).toBe(0);

    expect(results).toEqual(['a', 'a', 'b', 'b'].map((page) => `The page is ${page}.`));
    // One session was for the list of tools, the other for all calls.
    expect(browser.sessionsOpened()).toBe(2);
    await expect.poll(browser.requestsOpen).toBe(0);
  });

  spec('runAgent', 200, 'of another run are made in another session', async () => {
    const browser = await startBrowserMcpServer();
    const { alice, agent } = await startWithMcpSkill(model, browser);
    model.respondWith(openPage('a'), textResponse('Finished.'));
    const { body: first } = await runAgent(alice, agent, 'Browse');
    model.respondWith(readPage, textResponse('Finished.'));

    const { body: second } = await runAgent(alice, agent, 'Read', {
      context: { session_id: first.session_id },
    });

    const results = await resultsOf(alice, second);
    expect(results).toEqual(['The page is a.', 'The page is about:blank.']);
  });

  const refusals = [
    { status: 404, text: 'Session not found' },
    // This is the response of the official package's examples for Express.
    { status: 400, text: '{"error":{"code":-32000,"message":"Bad Request: No valid session ID provided"}}' },
  ];

  for (const { status, text } of refusals)
    spec(
      'runAgent',
      200,
      `continue in a new session when the server has ended theirs (it answers ${status})`,
      async () => {
        const browser = await startBrowserMcpServer();
        browser.refuse = () => new Response(text, { status });
        const { alice, agent } = await startWithMcpSkill(model, browser);
        const forgetting: typeof readPage = (response, request) => {
          browser.forget();
          openPage('b')(response, request);
        };
        model.respondWith(openPage('a'), forgetting, readPage, textResponse('Finished.'));

        const { body: run } = await runAgent(alice, agent, 'Browse');

        const results = await resultsOf(alice, run);
        expect(results).toEqual(['The page is a.', `${note} b.`, 'The page is b.']);
        expect(browser.visited).toEqual(['a', 'b']);
      },
    );

  spec('runAgent', 200, 'are not sent once the server is away, which their results say', async () => {
    const browser = await startBrowserMcpServer();
    const { alice, agent } = await startWithMcpSkill(model, browser);
    const stopping: typeof readPage = (response, request) => {
      browser.stop();
      openPage('b')(response, request);
    };
    model.respondWith(openPage('a'), stopping, openPage('c'), textResponse('Finished.'));

    const { body: run } = await runAgent(alice, agent, 'Browse');

    const sentence = 'The MCP server "files" cannot be reached, or refused the connection. Nothing was done.';
    expect(await resultsOf(alice, run)).toEqual(['The page is a.', sentence, sentence]);
    expect(browser.visited).toEqual(['a']);
  });

  spec('decideToolCalls', 200, 'lose their session when the run waits, and the model is told', async () => {
    const browser = await startBrowserMcpServer();
    const { alice, agent } = await startWithMcpSkill(model, browser);
    await alice.ok('updateAgent', { id: agent.id, body: { approvals: ['files__open_page'] } });
    model.respondWith(readPage, openPage('a'), readPage, textResponse('Finished.'));

    const { body: waiting } = await runAgent(alice, agent, 'Browse');
    await expect.poll(browser.sessionsOpen).toBe(0);
    await decide(alice, waiting, { approve: true });
    await endedRun(alice, waiting);

    const results = await resultsOf(alice, waiting);
    expect(results).toEqual(['The page is about:blank.', `${note} a.`, 'The page is a.']);
  });

  spec('decideToolCalls', 200, 'that the user has rejected leave no state to lose', async () => {
    const browser = await startBrowserMcpServer();
    const { alice, agent } = await startWithMcpSkill(model, browser);
    await alice.ok('updateAgent', { id: agent.id, body: { approvals: ['files__open_page'] } });
    model.respondWith(openPage('a'), readPage, textResponse('Finished.'));

    const { body: waiting } = await runAgent(alice, agent, 'Browse');
    await decide(alice, waiting, { approve: false });
    await endedRun(alice, waiting);

    const results = await resultsOf(alice, waiting);
    expect(results).toEqual(['The user rejected this call.', 'The page is about:blank.']);
  });
});

describe('the session of a run with an MCP server', () => {
  spec('cancelRun', 200, 'ends when the run is cancelled during a call', async () => {
    const browser = await startBrowserMcpServer();
    const { alice, agent } = await startWithMcpSkill(model, browser);
    const { promise: visiting, resolve: onVisit } = Promise.withResolvers<undefined>();
    browser.onVisit = () => {
      onVisit(undefined);
      return new Promise(() => undefined);
    };
    model.respondWith(readPage, openPage('a'));
    const request = { id: agent.id, body: { input: 'Browse' }, headers: { Prefer: 'respond-async' } };
    const { body: run } = await alice.ok('runAgent', request);
    await visiting;

    await alice.ok('cancelRun', { id: run.id });

    await expect.poll(() => [browser.sessionsOpen(), browser.requestsOpen()]).toEqual([0, 0]);
  });

  spec('runAgent', 202, 'ends when the server is stopped, before it has stopped', async () => {
    const browser = await startBrowserMcpServer();
    const { server, alice, agent } = await startWithMcpSkill(model, browser);
    const { promise: asked, resolve: onAsked } = Promise.withResolvers<undefined>();
    model.respondWith(openPage('a'), () => {
      onAsked(undefined);
    });
    const request = { id: agent.id, body: { input: 'Browse' }, headers: { Prefer: 'respond-async' } };
    await alice.ok('runAgent', request);
    await asked;
    const before = browser.sessionsOpen();

    await server.close();

    expect([before, browser.sessionsOpen()]).toEqual([1, 0]);
  });

  spec('runAgent', 200, 'is another one after a call that failed', async () => {
    const browser = await startBrowserMcpServer();
    const { alice, agent } = await startWithMcpSkill(model, browser, {
      changes: { agents: { toolMs: 1000 } },
    });
    browser.onVisit = (page) => (page === 'slow' ? new Promise(() => undefined) : undefined);
    model.respondWith(openPage('a'), openPage('slow'), readPage, textResponse('Finished.'));

    const { body: run } = await runAgent(alice, agent, 'Browse');

    const results = await resultsOf(alice, run);
    expect(results[1]).toMatch(/^The MCP server "files" did not answer in time\. The outcome/);
    expect([results[0], results[2]]).toEqual(['The page is a.', `${note} about:blank.`]);
    await expect.poll(browser.sessionsOpen).toBe(0);
  });
});
