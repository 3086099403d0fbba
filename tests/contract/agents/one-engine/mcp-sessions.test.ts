import { describe, expect } from 'vitest';
import type { Schemas } from '../../../../server/src/contract/operation.ts';
import { createAgent, endedRun, runAgent, startRun, toolResults } from '../../../support/agents.ts';
import { decide } from '../../../support/approvals.ts';
import { startBrowserMcpServer } from '../../../support/browser-mcp-server.ts';
import {
  startModelServer,
  textResponse,
  toolCallResponse,
  type ModelResponse,
} from '../../../support/model-server.ts';
import type { TestServerOptions } from '../../../support/server.ts';
import { spec } from '../../../support/spec.ts';
import { startWithMcpSkill } from '../../../support/with-mcp-skill.ts';
import type { WithModel } from '../../../support/with-model.ts';

const openPage = (page: string): ModelResponse => toolCallResponse('files__open_page', { page });
const readPage = toolCallResponse('files__read_page', {});

const model = await startModelServer();
async function start(options: TestServerOptions = {}) {
  const browser = await startBrowserMcpServer();
  return { browser, ...(await startWithMcpSkill(model, browser, options)) };
}
const shared = await start();
const { browser, alice } = shared;
const options = { runtime: 'local', skills: ['mcp:files'], approvals: ['files__open_page'] };
const careful = await createAgent(alice, options);

/** Runs the agent with these responses of its model. Resolves to the results of the calls. */
async function browse({ alice: user, agent: { id } }: WithModel, ...responses: readonly ModelResponse[]) {
  model.respondWith(...responses, textResponse('Finished.'));
  return resultsOf((await runAgent(user, { id }, 'Browse')).body, user);
}

async function resultsOf(run: Schemas['Run'], user = alice): Promise<string[]> {
  return (await toolResults(user, run.session_id)).map(({ content }) => content);
}

describe('the calls of a run to an MCP server', () => {
  spec('runAgent', 200, 'are made in one session, which ends with the run', async () => {
    await alice.ok('listRuntimes');
    const before = browser.sessionsOpened();

    const results = await browse(shared, openPage('a'), readPage, openPage('b'), readPage);

    expect(results).toEqual(['a', 'a', 'b', 'b'].map((page) => `The page is ${page}.`));
    expect(browser.sessionsOpened()).toBe(before + 1);
    await expect.poll(() => [browser.sessionsOpen(), browser.requestsOpen()]).toEqual([0, 0]);
  });

  const refusals = [
    { status: 404, text: 'Session not found' },
    { status: 400, text: 'Who are you?' },
  ];

  describe.each(refusals)('that has ended their session, and answers $status,', (refusal) => {
    spec('runAgent', 200, 'continue in a new session', async () => {
      browser.refusal = refusal;
      const before = browser.visited.length;
      const forgetting: ModelResponse = (response, request) => {
        browser.forget();
        openPage('b')(response, request);
      };

      const results = await browse(shared, openPage('a'), forgetting, readPage);

      expect(results).toEqual(['a', 'b', 'b'].map((page) => `The page is ${page}.`));
      expect(browser.visited.slice(before)).toEqual(['a', 'b']);
    });
  });

  spec('runAgent', 200, 'are not sent once the server is gone, and their results say so', async () => {
    const own = await start();
    const stopping: ModelResponse = (response, request) => {
      own.browser.stop();
      openPage('b')(response, request);
    };

    const results = await browse(own, openPage('a'), stopping, openPage('c'));

    const sentence = 'The MCP server "files" cannot be reached, or refused the connection. Nothing was done.';
    expect(results).toEqual(['The page is a.', sentence, sentence]);
    expect(own.browser.visited).toEqual(['a']);
  });

  spec('runAgent', 200, 'keep their session when the server answers one of them with an error', async () => {
    for (const status of [400, 404, 500]) {
      const failing: ModelResponse = (response, request) => {
        browser.failing = [status];
        openPage('b')(response, request);
      };

      const results = await browse(shared, openPage('a'), failing, readPage);

      expect(results[1]).toContain(`The MCP server "files" answered ${status}: Failing`);
      expect([results[0], results[2]]).toEqual(['The page is a.', 'The page is a.']);
    }
  });

  spec('decideToolCalls', 200, 'lose their session when the run waits', async () => {
    model.respondWith(readPage, openPage('a'), readPage, textResponse('Finished.'));

    const { body: waiting } = await runAgent(alice, careful, 'Browse');
    await expect.poll(browser.sessionsOpen).toBe(0);
    await decide(alice, waiting, { approve: true });
    await endedRun(alice, waiting);

    const results = await resultsOf(waiting);
    expect(results).toEqual(['about:blank', 'a', 'a'].map((page) => `The page is ${page}.`));
  });
});

describe('the session of a run with an MCP server', () => {
  spec('cancelRun', 200, 'ends when the run is cancelled during a call', async () => {
    const own = await start();
    const { promise: visiting, resolve: onVisit } = Promise.withResolvers<undefined>();
    own.browser.onVisit = () => {
      onVisit(undefined);
      return new Promise(() => undefined);
    };
    model.respondWith(readPage, openPage('a'));
    const run = await startRun(own.alice, own.agent, 'Browse');
    await visiting;

    await own.alice.ok('cancelRun', { id: run.id });

    await expect.poll(() => [own.browser.sessionsOpen(), own.browser.requestsOpen()]).toEqual([0, 0]);
  });

  spec('runAgent', 202, 'ends before the server that executes the run has stopped', async () => {
    const own = await start();
    const { promise: asked, resolve: onAsked } = Promise.withResolvers<undefined>();
    model.respondWith(openPage('a'), () => {
      onAsked(undefined);
    });
    await startRun(own.alice, own.agent, 'Browse');
    await asked;
    const before = own.browser.sessionsOpen();

    await own.server.close();

    expect([before, own.browser.sessionsOpen()]).toEqual([1, 0]);
  });

  spec('runAgent', 200, 'is replaced after a call that failed', async () => {
    const own = await start({ changes: { agents: { toolMs: 1000 } } });
    own.browser.onVisit = (page) => (page === 'slow' ? new Promise(() => undefined) : undefined);

    const results = await browse(own, openPage('a'), openPage('slow'), readPage);

    expect(results[1]).toMatch(/^The MCP server "files" did not answer in time\. The outcome/);
    expect([results[0], results[2]]).toEqual(['The page is a.', 'The page is about:blank.']);
    await expect.poll(own.browser.sessionsOpen).toBe(0);
  });
});
