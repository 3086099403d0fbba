import { describe, expect, it } from 'vitest';
import { createAgent, runAgent } from '../../support/agents.ts';
import { startModelServer, textResponse } from '../../support/model-server.ts';
import { startScriptedMcpServer, streamResponse, toolNamed } from '../../support/scripted-mcp-server.ts';
import { runWithCall, startWithMcpSkill, toolNames } from '../../support/with-mcp-skill.ts';

const model = await startModelServer();

const tools = [toolNamed('write'), toolNamed('read', { readOnlyHint: true })];

describe('an MCP server that', () => {
  const unusable: readonly (readonly [string, readonly object[]])[] = [
    ['lists tools without a name', [{ inputSchema: { type: 'object' } }]],
    ['lists schemas that are none', [{ name: 'read', inputSchema: 'any' }]],
    ['lists more than a megabyte', [{ ...toolNamed('read'), description: 'x'.repeat(2 ** 20) }]],
  ];

  it.each(unusable)('%s gives no tools, and the run continues without them', async (_name, listed) => {
    const files = await startScriptedMcpServer(listed);
    const skill = await startWithMcpSkill(model, files);

    const { run, result } = await runWithCall(skill, model, 'files__read');

    expect(run).toMatchObject({ status: 'completed', output: 'Finished.' });
    expect(toolNames(model.requests[0])).toEqual([]);
    expect(result?.content).toContain('There is no tool "files__read".');
    expect(files.calls).toEqual([]);
  });

  it('lists a quarter of a million tools is refused before the list is validated', async () => {
    const log: string[] = [];
    const files = await startScriptedMcpServer(Array<object>(250_000).fill([]));
    const skill = await startWithMcpSkill(model, files, { log });

    const { run } = await runWithCall(skill, model, 'files__read');

    expect(run).toMatchObject({ status: 'completed', output: 'Finished.' });
    expect(toolNames(model.requests[0])).toEqual([]);
    expect(log.join('')).toContain('sent more than 20000 JSON values');
  });

  it('is back gives its tools to the next run', async () => {
    const files = await startScriptedMcpServer(tools);
    files.intercept = (_request, response) => {
      response.writeHead(503).end();
    };
    const skill = await startWithMcpSkill(model, files);
    await runWithCall(skill, model, 'files__read');
    const without = toolNames(model.requests[0]);
    files.intercept = undefined;

    // The server may be asked between two steps of one run, so the test waits for a run that begins with the tools.
    let content: string | undefined;
    const toolsOfNextRun = async () => {
      content = (await runWithCall(skill, model, 'files__read')).result?.content;
      return toolNames(model.requests[0]);
    };
    await expect.poll(toolsOfNextRun, { interval: 500 }).toEqual(['files__write', 'files__read']);
    expect(content).toBe('Done.');
    expect(without).toEqual([]);
  });

  it('has more tools than a model can read gives the first hundred', async () => {
    const many = Array.from({ length: 150 }, (_each, i) => toolNamed(`tool-${i}`));
    const files = await startScriptedMcpServer(many);
    const skill = await startWithMcpSkill(model, files);

    await runWithCall(skill, model, 'files__tool-0');

    expect(toolNames(model.requests[0])).toHaveLength(100);
  });

  it.each(['another server', 'itself'])(
    'redirects to %s is not followed there, which the log says',
    async (target) => {
      const log: string[] = [];
      const reached: (string | undefined)[] = [];
      const [files, other] = [await startScriptedMcpServer(tools), await startScriptedMcpServer(tools)];
      const { origin } = new URL((target === 'itself' ? files : other).url);
      const answer: typeof files.intercept = ({ url }, response) => {
        reached.push(url);
        response.writeHead(307, { Location: `${origin}/elsewhere?key=a-secret` }).end();
      };
      [files.intercept, other.intercept] = [answer, answer];
      const skill = await startWithMcpSkill(model, files, { log });

      const { run } = await runWithCall(skill, model, 'files__read');

      expect(run.status).toBe('completed');
      expect(new Set(reached)).toEqual(new Set(['/mcp']));
      const named = target === 'itself' ? '/elsewhere' : `${origin}/elsewhere`;
      expect(log.join('')).toContain(`"the MCP server files answered 307 to ${named}"`);
      expect(log.join('')).not.toContain('a-secret');
    },
  );

  it('does not answer holds a run no longer than until it is cancelled', async () => {
    const files = await startScriptedMcpServer(tools);
    files.intercept = (_request, response) => {
      streamResponse(response);
    };
    const { alice, agent } = await startWithMcpSkill(model, files);
    model.respondWith(textResponse('Finished.'));
    const request = { id: agent.id, body: { input: 'Read' }, headers: { Prefer: 'respond-async' } };
    const { body: run } = await alice.ok('runAgent', request);
    await expect.poll(async () => (await alice.ok('getRun', run)).body.status).toBe('running');
    await alice.ok('cancelRun', run);
    files.intercept = undefined;
    const other = await createAgent(alice, { runtime: 'local' });

    const { body: next } = await runAgent(alice, other, 'Hi', { context: { session_id: 'other' } });

    expect(next.output).toBe('Finished.');
  });

  it('no operator has configured is out of reach: a name in a request is no skill', async () => {
    const files = await startScriptedMcpServer(tools);
    const { alice } = await startWithMcpSkill(model, files);
    const agent = await createAgent(alice, {
      runtime: 'local',
      skills: ['mcp:crm', `mcp:${files.url}`, files.url],
    });

    await runWithCall({ alice, agent }, model, 'files__read');

    expect(toolNames(model.requests[0])).toEqual([]);
    expect(files.authorizations.size).toBe(0);
  });
});
