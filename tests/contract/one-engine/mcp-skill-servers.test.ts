import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createAgent, runAgent, startRun } from '../../support/agents.ts';
import { startModelServer, textResponse } from '../../support/model-server.ts';
import {
  type CallResponse,
  startScriptedMcpServer,
  streamResponse,
  toolNamed,
} from '../../support/scripted-mcp-server.ts';
import { runWithCall, startWithFiles, startWithMcpSkill, toolNames } from '../../support/with-mcp-skill.ts';

const model = await startModelServer();

describe('an MCP server that', () => {
  const unusable: readonly (readonly [string, readonly object[], logged: string])[] = [
    ['lists tools without a name', [{ inputSchema: { type: 'object' } }], ''],
    ['lists more than a megabyte', [{ ...toolNamed('read'), description: 'x'.repeat(2 ** 20) }], ''],
    // This list is refused before it is validated.
    ['lists a quarter of a million tools', Array<object>(250_000).fill([]), 'more than 20000 JSON values'],
  ];

  it.each(unusable)('%s gives no tools, and the run continues without them', async (_name, tools, logged) => {
    const log: string[] = [];
    const skill = await startWithFiles(model, { tools, log });

    const { run, result } = await runWithCall(skill, 'files__read');

    expect(run).toMatchObject({ status: 'completed', output: 'Finished.' });
    expect(toolNames(model.requests[0])).toEqual([]);
    expect(result?.content).toContain('There is no tool "files__read".');
    expect(skill.files.calls).toEqual([]);
    expect(log.join('')).toContain(logged);
  });

  it('sends null or nothing for what is not set keeps its tools, and each invalid tool is logged', async () => {
    const log: string[] = [];
    const unset = { title: null, annotations: null, outputSchema: null, icons: [null], execution: null };
    const inputSchema = {
      type: 'object',
      required: null,
      properties: { a: { type: 'string', title: null } },
    };
    const tools = [
      { ...toolNamed('read'), ...unset, description: null, inputSchema },
      {
        ...{ ...toolNamed('write', { title: null, readOnlyHint: null }), _meta: [] },
        // Spring AI sends an `outputSchema` of type array. PHP sends an empty list for an object without members.
        outputSchema: { type: 'array' },
        inputSchema: { properties: [] },
      },
      { name: 'broken', inputSchema: 'any' },
    ];
    const content = [{ type: 'text', text: 'Read.', annotations: { audience: null }, _meta: null }];
    const result = { content, isError: null, structuredContent: null, _meta: [] };
    const respond: CallResponse = (response, { id }) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ id, result }));
    };
    const skill = await startWithFiles(model, { tools, log, respond });
    skill.files.fields = { _meta: null, nextCursor: null, capabilities: [], serverInfo: null };

    const run = await runWithCall(skill, 'files__read');

    expect(toolNames(model.requests[0])).toEqual(['files__read', 'files__write']);
    expect(run.result).toMatchObject({ content: 'Read.', is_error: false });
    expect(log.join('')).toContain('broken: its definition is invalid');
  });

  it.each([500, 202, 204])('answers all that it does not know with %i gives its tools', async (status) => {
    const files = await startScriptedMcpServer();
    files.unknownStatus = status;

    const { result } = await runWithCall(await startWithMcpSkill(model, files), 'files__read');

    expect(result).toMatchObject({ is_error: false, content: 'Done.' });
  });

  it('is back gives its tools to the next run', async () => {
    const skill = await startWithFiles(model);
    skill.files.intercept = (_request, response) => {
      response.writeHead(503).end();
    };
    await runWithCall(skill, 'files__read');
    const without = toolNames(model.requests[0]);
    skill.files.intercept = undefined;
    // The server is asked again after ten seconds.
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 10_000);
    onTestFinished(() => {
      vi.restoreAllMocks();
    });

    // The tools may be listed between two steps of a run, so this waits for a run that has them from its first step.
    let content: string | undefined;
    const toolsOfNextRun = async () => {
      content = (await runWithCall(skill, 'files__read')).result?.content;
      return toolNames(model.requests[0]);
    };
    await expect.poll(toolsOfNextRun).toEqual(['files__write', 'files__read']);
    expect(content).toBe('Done.');
    expect(without).toEqual([]);
  });

  it('has more tools than a model can read gives the first hundred', async () => {
    // A filter that contains filters.
    const list = { type: 'array', items: { $ref: '#/$defs/filter' } };
    const filter = { type: 'object', properties: { field: { type: 'string' }, and: list, or: list } };
    const inputSchema = { type: 'object', $defs: { filter }, properties: { where: list } };
    const tools = Array.from({ length: 150 }, (_each, i) => ({ ...toolNamed(`tool-${i}`), inputSchema }));
    const skill = await startWithFiles(model, { tools });

    await runWithCall(skill, 'files__tool-0');

    expect(toolNames(model.requests[0])).toHaveLength(100);
    expect(JSON.stringify(model.requests[0]?.tools).length).toBeLessThan(128 * 1024);
  });

  it.each(['another server', 'itself'])(
    'redirects to %s is not followed, as users can see',
    async (target) => {
      const log: string[] = [];
      const reached: (string | undefined)[] = [];
      const [files, other] = [await startScriptedMcpServer(), await startScriptedMcpServer()];
      const { origin } = new URL((target === 'itself' ? files : other).url);
      const answer: typeof files.intercept = ({ url }, response) => {
        reached.push(url);
        response.writeHead(307, { Location: `${origin}/elsewhere?key=a-secret` }).end();
      };
      [files.intercept, other.intercept] = [answer, answer];
      const skill = await startWithMcpSkill(model, files, { log });

      const { run } = await runWithCall(skill, 'files__read');

      expect(run.status).toBe('completed');
      expect(new Set(reached)).toEqual(new Set(['/mcp']));
      expect(log.join('')).not.toContain('a-secret');
      const { skills } = (await skill.alice.ok('listRuntimes')).body;
      expect(skills.at(-1)?.problem).toBe('The MCP server "files" redirects to another address.');
    },
  );

  it('does not answer holds a run at most until it is cancelled', async () => {
    const { files, alice, agent } = await startWithFiles(model);
    files.intercept = (_request, response) => {
      streamResponse(response);
    };
    model.respondWith(textResponse('Finished.'));
    const run = await startRun(alice, agent, 'Read');
    await expect.poll(async () => (await alice.ok('getRun', run)).body.status).toBe('running');
    await alice.ok('cancelRun', run);
    files.intercept = undefined;
    const other = await createAgent(alice, { runtime: 'local' });

    expect((await runAgent(alice, other, 'Hi')).body.output).toBe('Finished.');
  });

  it('no operator has configured is out of reach: a name in a request adds no skill', async () => {
    const { files, alice } = await startWithFiles(model);
    const skills = ['mcp:crm', `mcp:${files.url}`, files.url];
    const agent = await createAgent(alice, { runtime: 'local', skills });

    await runWithCall({ model, alice, agent }, 'files__read');

    expect(toolNames(model.requests[0])).toEqual([]);
    expect(files.authorizations.size).toBe(0);
  });
});
