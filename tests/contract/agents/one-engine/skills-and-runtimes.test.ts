import { describe, expect } from 'vitest';
import type { Schemas } from '../../../../server/src/contract/operation.ts';
import { createAgent, noLimits, runAgent, streamRun } from '../../../support/agents.ts';
import type { Client } from '../../../support/client.ts';
import { startModelServer, textResponse, toolCallResponse } from '../../../support/model-server.ts';
import { streamResponse, type ScriptedMcpServer } from '../../../support/scripted-mcp-server.ts';
import { sharedServer, startTestServer } from '../../../support/server.ts';
import { spec } from '../../../support/spec.ts';
import { startWithFiles } from '../../../support/with-mcp-skill.ts';
import type { WithModel } from '../../../support/with-model.ts';

const shared = await sharedServer().as('alice');
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

  describe.each([
    ['is away', undefined, 'The MCP server "files" cannot be reached (ECONNREFUSED).'],
    ['has not answered for long', silence, 'Its MCP server has not answered yet.'],
  ])('that %s', (_name, intercept, problem) => {
    spec('listRuntimes', 200, 'has no tools, and says why', async () => {
      const { files, alice } = await startWithFiles(model);
      if (intercept === undefined) files.stop();
      else files.intercept = intercept;

      expect(await skillOf(alice)).toEqual({ name: 'mcp:files', tools: [], problem });
    });
  });

  spec('listRuntimes', 200, 'delays no other request while its server does not answer', async () => {
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

/** The warnings in the stream of a run. */
async function streamedWarnings({ alice, agent }: WithModel): Promise<Schemas['RunWarning'][]> {
  const events = await streamRun(alice, agent, 'Hi');
  return events.flatMap(({ event, data }) => (event === 'run.warning' ? [data] : []));
}

describe('an agent', () => {
  const unknownSkill = 'There is no skill "taks". The skills are: tasks, tasks:read, viz.';
  const unknownTool = 'The approvals name "delete_tasks", but no skill of the agent has a tool of this name.';

  spec('createAgent', 200, 'warns of skills that do not exist, and then of tools', async () => {
    for (const [skills, warning] of [
      [['tasks', 'taks'], { code: 'unknown_skill', detail: unknownSkill }],
      [['tasks'], { code: 'unknown_tool', detail: unknownTool }],
    ]) {
      const body = { name: 'Typo', skills, approvals: ['*', 'create_task', 'delete_tasks'] };
      const { body: agent } = await shared.ok('createAgent', { body });

      expect(agent.warnings).toEqual([warning]);
      expect((await shared.ok('getAgent', agent)).body).toEqual(agent);
    }
  });

  spec('listAgents', 200, 'has at most ten warnings', async () => {
    const bob = await sharedServer().as('bob');
    await createAgent(bob, { skills: Array.from({ length: 50 }, (_each, i) => `skill-${i}`) });

    const { body } = await bob.ok('listAgents');

    expect(body.agents[0]?.warnings).toHaveLength(10);
  });

  spec('getAgent', 200, 'warns of an MCP server that cannot list its tools, without asking it', async () => {
    const skill = await startWithFiles(model);
    let requests = 0;
    skill.files.intercept = (_request, response) => {
      requests += 1;
      response.writeHead(503).end();
    };
    const before = skill.agent.warnings;
    await skill.alice.ok('listRuntimes');
    const asked = requests;

    const { body: agent } = await skill.alice.ok('getAgent', skill.agent);

    const detail =
      'The tools of the skill "mcp:files" cannot be listed. The MCP server "files" answered 503.';
    expect(before).toEqual([]);
    expect(agent.warnings).toEqual([{ code: 'unavailable_skill', detail }]);
    expect(requests).toBe(asked);
  });
});

describe('the stream of a run', () => {
  spec('runAgent', 200, 'names an MCP server that cannot be reached, and the run continues', async () => {
    const skill = await startWithFiles(model);
    skill.files.stop();
    model.respondWith(toolCallResponse('files__read', {}), textResponse('Finished.'));

    const streamed = await streamedWarnings(skill);

    const detail = expect.stringContaining('(ECONNREFUSED)') as string;
    expect(streamed).toMatchObject([{ warnings: [{ code: 'unavailable_skill', detail }] }]);
    const [{ run_id: id } = { run_id: '' }] = streamed;
    expect((await skill.alice.ok('getRun', { id })).body.output).toBe('Finished.');
  });

  spec('runAgent', 200, 'has no warning if nothing is wrong', async () => {
    const skill = await startWithFiles(model);
    await skill.alice.ok('updateAgent', { id: skill.agent.id, body: { approvals: ['files__write'] } });
    model.respondWith(textResponse('Finished.'));

    expect(await streamedWarnings(skill)).toEqual([]);
    expect((await skill.alice.ok('getAgent', skill.agent)).body.warnings).toEqual([]);
  });
});
