import { beforeAll, describe, expect } from 'vitest';
import type { Schemas } from '../../../server/src/contract/operation.ts';
import { createAgent, messagesOf, noLimits, runAgent } from '../../support/agents.ts';
import { callsOf } from '../../support/approvals.ts';
import type { Client } from '../../support/client.ts';
import { eventsFrom } from '../../support/events.ts';
import { modelEnv, startModelServer, textResponse, toolCallResponse } from '../../support/model-server.ts';
import { startScriptedMcpServer, toolNamed } from '../../support/scripted-mcp-server.ts';
import { isShareable, startTestServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';
import { startWithMcpSkill } from '../../support/with-mcp-skill.ts';

describe.runIf(isShareable)('two servers on one Postgres', () => {
  let here: Client;
  let there: Client;
  let agent: Schemas['Agent'];

  beforeAll(async () => {
    const server = await startTestServer({ env: noLimits });
    const other = await startTestServer({ env: noLimits, sharing: server });
    here = await server.as('alice');
    there = await other.as('alice');
    agent = await createAgent(here);
  });

  spec('runAgent', 200, 'each run is executed once, whichever server receives the request', async () => {
    const titles = Array.from({ length: 20 }, (_, index) => `Shared ${index}`);

    await Promise.all(
      titles.map((title, index) =>
        runAgent(index % 2 ? here : there, agent, `create a task titled ${title}`),
      ),
    );

    const { body } = await there.ok('listTasks', { query: { q: 'Shared', sort: 'created_at' } });
    expect(body.tasks.map(({ title }) => title).sort()).toEqual(titles.sort());
  });

  spec('runAgent', 200, 'the runs of one session are executed in order', async () => {
    const context = { session_id: 'both' };
    const headers = { Prefer: 'respond-async' };
    const numbers = [1, 2, 3, 4, 5, 6];
    for (const number of numbers) {
      await runAgent(number % 2 ? here : there, agent, `create a task titled Turn ${number}`, {
        context,
        headers,
      });
    }
    await runAgent(here, agent, 'list my tasks', { context });

    const { body } = await here.ok('listTasks', { query: { q: 'Turn', sort: 'created_at' } });

    expect(body.tasks.map(({ title }) => title)).toEqual(numbers.map((number) => `Turn ${number}`));
    expect((await there.ok('getSession', { id: 'both' })).body.message_count).toBe(28);
  });

  spec('runAgent', 200, 'each server can stream a run, whichever executes it', async () => {
    const headers = { Accept: 'text/event-stream' };
    const streams = await Promise.all(
      [here, there, here, there].map((client, index) => {
        const body = { input: 'list my tasks', context: { session_id: `stream-${index}` } };
        return client.send('runAgent', { id: agent.id, body, headers });
      }),
    );

    for (const [index, { body }] of streams.entries()) {
      const streamed = eventsFrom(String(body)).filter(({ event }) => event === 'message');
      expect(streamed.map(({ data }) => data)).toEqual(await messagesOf(here, `stream-${index}`));
    }
  });

  spec('runAgent', 200, 'an Idempotency-Key is shared by both servers', async () => {
    const headers = { 'Idempotency-Key': 'two servers' };

    const first = await runAgent(here, agent, 'list my tasks', { headers });
    const second = await runAgent(there, agent, 'list my tasks', { headers });

    expect(second.body).toEqual(first.body);
    expect(second.headers.get('Idempotency-Replayed')).toBe('true');
  });
});

describe.runIf(isShareable)('a server that has not listed the tools of an MCP server', () => {
  spec('decideToolCalls', 400, 'validates the arguments that a decision gives a call', async () => {
    const inputSchema = { type: 'object', properties: { path: { type: 'string' } } };
    const files = await startScriptedMcpServer([{ ...toolNamed('write'), inputSchema }]);
    const model = await startModelServer();
    const env = { MCP_SKILL_FILES_APPROVAL: 'always' };
    const here = await startWithMcpSkill(model, files, { env });
    model.respondWith(toolCallResponse('files__write', { path: 'a' }), textResponse('Done.'));
    const { body: run } = await runAgent(here.alice, here.agent, 'Write');
    const there = await startTestServer({
      sharing: here.server,
      env: { ...env, ...modelEnv(model), MCP_SKILL_FILES_URL: files.url },
    });

    const decisions = callsOf(run).map(({ id }) => ({
      ...{ tool_call_id: id, approve: true },
      arguments: { path: 5 },
    }));
    const request = { id: run.id, body: { decisions } };
    const { body } = await (await there.as('alice')).fails('decideToolCalls', 400, request);

    expect(body.errors?.map(({ pointer }) => pointer)).toEqual(['/decisions/0/arguments/path']);
  });
});
