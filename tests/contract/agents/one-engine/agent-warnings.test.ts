import { describe, expect } from 'vitest';
import type { Schemas } from '../../../../server/src/contract/operation.ts';
import { createAgent, streamRun } from '../../../support/agents.ts';
import { startModelServer, textResponse, toolCallResponse } from '../../../support/model-server.ts';
import { sharedServer } from '../../../support/server.ts';
import { spec } from '../../../support/spec.ts';
import { startWithFiles } from '../../../support/with-mcp-skill.ts';
import type { WithModel } from '../../../support/with-model.ts';

const alice = await sharedServer().as('alice');
const model = await startModelServer();

/** The warnings in the stream of a run. */
async function streamedWarnings({ alice: client, agent }: WithModel): Promise<Schemas['RunWarning'][]> {
  const events = await streamRun(client, agent, 'Hi');
  return events.flatMap(({ event, data }) => (event === 'run.warning' ? [data] : []));
}

describe('an agent', () => {
  spec('createAgent', 200, 'warns of skills and tools that do not exist', async () => {
    const body = { name: 'Typo', skills: ['tasks', 'taks'], approvals: ['*', 'create_task', 'delete_tasks'] };

    const { body: agent } = await alice.ok('createAgent', { body });

    expect(agent.warnings).toEqual([
      {
        code: 'unknown_skill',
        detail: 'There is no skill "taks". The skills are: tasks, tasks:read, viz.',
      },
      {
        code: 'unknown_tool',
        detail: 'The approvals name "delete_tasks", but no skill of the agent has a tool of this name.',
      },
    ]);
    expect((await alice.ok('getAgent', agent)).body).toEqual(agent);
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

  spec('runAgent', 200, 'has no warning where nothing is wrong', async () => {
    const skill = await startWithFiles(model);
    await skill.alice.ok('updateAgent', { id: skill.agent.id, body: { approvals: ['files__write'] } });
    model.respondWith(textResponse('Finished.'));

    expect(await streamedWarnings(skill)).toEqual([]);
    expect((await skill.alice.ok('getAgent', skill.agent)).body.warnings).toEqual([]);
  });
});
