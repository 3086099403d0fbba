import { describe, expect } from 'vitest';
import type { Schemas } from '../../../../server/src/contract/operation.ts';
import { noLimits, runAgent } from '../../../support/agents.ts';
import type { Client } from '../../../support/client.ts';
import { startModelServer, textResponse } from '../../../support/model-server.ts';
import { streamResponse, type ScriptedMcpServer } from '../../../support/scripted-mcp-server.ts';
import { startTestServer } from '../../../support/server.ts';
import { spec } from '../../../support/spec.ts';
import { startWithFiles } from '../../../support/with-mcp-skill.ts';

const model = await startModelServer();

async function skillOf(client: Client): Promise<Schemas['Skill'] | undefined> {
  return (await client.ok('listRuntimes')).body.skills.find(({ name }) => name === 'mcp:files');
}

async function stateOf(client: Client): Promise<string | undefined> {
  return (await client.ok('listRuntimes')).body.runtimes.find(({ name }) => name === 'local')?.state;
}

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
    expect(listed.find(({ name }) => name === 'get_task')?.parameters).toMatchObject({ required: ['id'] });
    expect(listed.filter(({ needs_approval }) => needs_approval).map(({ name }) => name)).toEqual([
      'delete_task',
    ]);
  });

  spec('listRuntimes', 200, 'says how the last request to a model server ended', async () => {
    const { alice, agent } = await startWithFiles(model);
    const before = await stateOf(alice);
    model.respondWith(textResponse('Hello.'));
    await runAgent(alice, agent, 'Hi');
    const answered = await stateOf(alice);
    model.respondWith((response) => response.writeHead(401).end());
    await runAgent(alice, agent, 'Hi');

    expect([before, answered, await stateOf(alice)]).toEqual(['unknown', 'ready', 'failing']);
  });

  spec('listRuntimes', 200, 'has the tools of MCP servers, and no address or token', async () => {
    const { alice } = await startWithFiles(model, { env: { MCP_SKILL_FILES_APPROVAL: 'writes' } });

    const { body } = await alice.ok('listRuntimes');

    expect(body.runtimes).toContainEqual({
      ...{ name: 'local', model: 'test-model', is_default: false, state: 'unknown' },
    });
    const parameters = expect.objectContaining({ type: 'object' }) as object;
    expect(body.skills.at(-1)).toEqual({
      name: 'mcp:files',
      tools: [
        { name: 'files__write', description: 'Does write.', parameters, needs_approval: true },
        { name: 'files__read', description: 'Does read.', parameters, needs_approval: false },
      ],
      problem: null,
    });
    expect(JSON.stringify(body)).not.toMatch(/127\.0\.0\.1|secret/);
  });
});

describe('the skill of an MCP server', () => {
  const silence: ScriptedMcpServer['intercept'] = (_request, response) => {
    streamResponse(response);
  };
  const unanswered = 'Its MCP server has not answered yet.';
  const absent: readonly (readonly [string, ScriptedMcpServer['intercept'], problem: string])[] = [
    ['is away', undefined, 'The MCP server "files" cannot be reached (ECONNREFUSED).'],
    ['has not answered for long', silence, unanswered],
  ];

  describe.each(absent)('that %s', (_name, intercept, problem) => {
    spec('listRuntimes', 200, 'has no tools, and says why', async () => {
      const { files, alice } = await startWithFiles(model);
      if (intercept === undefined) files.stop();
      else files.intercept = intercept;

      expect(await skillOf(alice)).toEqual({ name: 'mcp:files', tools: [], problem });
    });
  });

  spec('listRuntimes', 200, 'holds no other request up while its server does not answer', async () => {
    // With one connection, only one request of the user runs at a time.
    const { files, alice } = await startWithFiles(model, { env: { DATABASE_POOL_SIZE: '1' } });
    const { promise: asked, resolve: onRequest } = Promise.withResolvers<undefined>();
    const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
    files.intercept = (_request, response) => {
      onRequest(undefined);
      void released.then(() => response.writeHead(503).end());
    };
    const skill = skillOf(alice);
    await asked;

    await alice.ok('listTasks');

    // `listTasks` did not wait: the list of runtimes is still waiting, and within its time limit.
    release(undefined);
    expect((await skill)?.problem).toBe('The MCP server "files" answered 503.');
  });
});
