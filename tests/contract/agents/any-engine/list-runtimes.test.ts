import { describe, expect } from 'vitest';
import type { Schemas } from '../../../../server/src/operation.ts';
import { noLimits, runAgent } from '../../../support/agents.ts';
import type { Client } from '../../../support/client.ts';
import { startModelServer, textResponse } from '../../../support/model-server.ts';
import { startScriptedMcpServer, streamResponse, toolNamed } from '../../../support/scripted-mcp-server.ts';
import { startTestServer } from '../../../support/server.ts';
import { spec } from '../../../support/spec.ts';
import { runWithCall, startWithMcpSkill } from '../../../support/with-mcp-skill.ts';

const model = await startModelServer();

async function skillOf(client: Client, name: string): Promise<Schemas['Skill'] | undefined> {
  return (await client.ok('listRuntimes')).body.skills.find((each) => each.name === name);
}

async function stateOf(client: Client): Promise<string | undefined> {
  return (await client.ok('listRuntimes')).body.runtimes.find(({ name }) => name === 'local')?.state;
}

const tools = [toolNamed('write'), toolNamed('read', { readOnlyHint: true })];

describe('the list of runtimes', () => {
  spec('listRuntimes', 200, 'has the built-in runtime and skills of a server without settings', async () => {
    const alice = await (await startTestServer({ env: noLimits })).as('alice');

    const { body } = await alice.ok('listRuntimes');

    expect(body.runtimes).toEqual([{ name: 'builtin', model: null, is_default: true, state: 'ready' }]);
    expect(body.skills.map(({ name, problem }) => [name, problem])).toEqual([
      ['tasks', null],
      ['tasks:read', null],
      ['viz', null],
    ]);
    const [{ tools: listed }] = body.skills as [Schemas['Skill']];
    expect(listed.filter(({ needs_approval }) => needs_approval).map(({ name }) => name)).toEqual([
      'delete_task',
    ]);
  });

  spec('listRuntimes', 200, 'says how the last request to a model server ended', async () => {
    const files = await startScriptedMcpServer(tools);
    const { alice, agent } = await startWithMcpSkill(model, files);
    const before = await stateOf(alice);
    model.respondWith(textResponse('Hello.'));
    await runAgent(alice, agent, 'Hi');
    const answered = await stateOf(alice);
    model.respondWith((response) => response.writeHead(401).end());
    await runAgent(alice, agent, 'Hi');

    expect([before, answered, await stateOf(alice)]).toEqual(['unknown', 'ready', 'failing']);
  });

  spec('listRuntimes', 200, 'has the tools of MCP servers, and no address or token', async () => {
    const files = await startScriptedMcpServer(tools);
    const { alice } = await startWithMcpSkill(model, files, { env: { MCP_SKILL_FILES_APPROVAL: 'writes' } });

    const { body } = await alice.ok('listRuntimes');

    expect(body.runtimes).toContainEqual({
      ...{ name: 'local', model: 'test-model', is_default: false, state: 'unknown' },
    });
    expect(body.skills.at(-1)).toEqual({
      name: 'mcp:files',
      tools: [
        { name: 'files__write', description: 'Does write.', needs_approval: true },
        { name: 'files__read', description: 'Does read.', needs_approval: false },
      ],
      problem: null,
    });
    expect(JSON.stringify(body)).not.toMatch(/127\.0\.0\.1|secret/);
  });
});

describe('the skill of an MCP server', () => {
  spec('listRuntimes', 200, 'says why it has no tools', async () => {
    const files = await startScriptedMcpServer(tools);
    files.intercept = (_request, response) => {
      response.writeHead(307, { Location: 'https://elsewhere.example/private' }).end();
    };
    const { alice } = await startWithMcpSkill(model, files);

    const redirected = await skillOf(alice, 'mcp:files');

    expect(redirected).toEqual({
      name: 'mcp:files',
      tools: [],
      problem: 'The MCP server "files" answered 307.',
    });
  });

  spec('listRuntimes', 200, 'says that its server is away', async () => {
    const files = await startScriptedMcpServer(tools);
    const { alice } = await startWithMcpSkill(model, files);
    files.stop();

    const skill = await skillOf(alice, 'mcp:files');

    expect(skill?.problem).toBe('The MCP server "files" cannot be reached (ECONNREFUSED).');
  });

  spec('listRuntimes', 200, 'does not wait long for a server that does not answer', async () => {
    const files = await startScriptedMcpServer(tools);
    files.intercept = (_request, response) => {
      streamResponse(response);
    };
    const { alice } = await startWithMcpSkill(model, files);

    const skill = await skillOf(alice, 'mcp:files');

    expect(skill).toMatchObject({ tools: [], problem: 'Its MCP server has not answered yet.' });
  });

  spec('listRuntimes', 200, 'holds no other request up while its server does not answer', async () => {
    const files = await startScriptedMcpServer(tools);
    const { promise: asked, resolve: onRequest } = Promise.withResolvers<undefined>();
    const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
    files.intercept = (_request, response) => {
      onRequest(undefined);
      void released.then(() => response.writeHead(503).end());
    };
    // One request of the user runs at a time.
    const { alice } = await startWithMcpSkill(model, files, { env: { DATABASE_POOL_SIZE: '1' } });
    const skill = skillOf(alice, 'mcp:files');
    await asked;

    await alice.ok('listTasks');

    // The list has not waited in vain.
    release(undefined);
    expect((await skill)?.problem).toBe('The MCP server "files" answered 503.');
  });

  spec('listRuntimes', 200, 'asks its server once for many requests', async () => {
    const files = await startScriptedMcpServer(tools);
    let lists = 0;
    const skill = await startWithMcpSkill(model, files);
    await skillOf(skill.alice, 'mcp:files');
    files.intercept = (_request, response) => {
      lists += 1;
      response.writeHead(503).end();
    };

    const again = await skillOf(skill.alice, 'mcp:files');
    files.intercept = undefined;

    expect([again?.tools.length, lists]).toEqual([2, 0]);
    expect((await runWithCall(skill, model, 'files__read')).result?.content).toBe('Done.');
  });
});
