import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createAgent, endedRun, noLimits, runAgent, toolResults } from '../../support/agents.ts';
import { callsOf, decide, tasksTitled } from '../../support/approvals.ts';
import { freePort, untilListening } from '../../support/free-port.ts';
import { startModelServer, textResponse, toolCallResponse } from '../../support/model-server.ts';
import { startScriptedMcpServer, toolNamed } from '../../support/scripted-mcp-server.ts';
import { spawnProgram } from '../../support/server-process.ts';
import { startTestServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';
import { runWithCall, startWithFiles, startWithMcpSkill, toolNames } from '../../support/with-mcp-skill.ts';

const model = await startModelServer();

function nested(levels: number): object {
  return levels === 0 ? {} : { a: { properties: nested(levels - 1) } };
}

describe('the skill mcp:<name>', () => {
  it('gives the model the tools of the reference server, and calls them', async () => {
    const skill = await startWithMcpSkill(model, await startEverythingServer());

    const echo = await runWithCall(skill, 'files__echo', { message: 'Hello' });
    const [first] = model.requests;
    const sum = await runWithCall(skill, 'files__get-sum', { a: 19, b: 23 });
    const fields = await runWithCall(skill, 'files__get-structured-content', { location: 'Chicago' });
    const link = await runWithCall(skill, 'files__get-resource-links', { count: 1 });
    const picture = await runWithCall(skill, 'files__get-tiny-image');
    const invalid = await runWithCall(skill, 'files__get-sum', { a: 'many' });

    expect(toolNames(first)).toEqual(expect.arrayContaining(['files__echo', 'files__get-sum']));
    expect(echo.run).toMatchObject({ status: 'completed', output: 'Finished.' });
    expect(echo.result).toMatchObject({ content: 'Echo: Hello', is_error: false, attachments: null });
    expect(sum.result?.content).toContain('42');
    expect(fields.result?.content).toContain('"temperature"');
    expect(link.result?.content).toContain('://');
    expect(picture.result?.attachments).toMatchObject([{ media_type: 'image/png', name: 'picture-1.png' }]);
    expect(picture.result?.content).toContain('[picture-1.png is shown to the user]');
    expect(invalid.result?.is_error).toBe(true);
    expect(invalid.run.status).toBe('completed');
  });

  it('works with a server of the newest revision: the tools of another Worktable', async () => {
    const tasks = await startTestServer({ env: noLimits });
    const token = await tasks.token('owner');
    const env = { MCP_SKILL_FILES_TOKEN: token };
    const skill = await startWithMcpSkill(model, { url: `${tasks.url}/mcp` }, { env });

    const { result } = await runWithCall(skill, 'files__create_task', { title: 'From afar' });

    expect(result?.content).toContain('From afar');
    expect(await tasksTitled(await tasks.as('owner'), 'From afar')).toHaveLength(1);
  });

  it('sends its token to the configured address, and gives its tools to no agent without it', async () => {
    const { files, alice, agent } = await startWithFiles(model);
    const other = await createAgent(alice, { runtime: 'local', skills: ['tasks:read'] });

    const withSkill = await runWithCall({ model, alice, agent }, 'files__read');
    const without = await runWithCall({ model, alice, agent: other }, 'files__read');

    expect(withSkill.result).toMatchObject({ content: 'Done.', is_error: false });
    expect(without.result?.content).toContain('There is no tool "files__read".');
    expect(files.calls).toEqual(['read']);
    expect([...files.authorizations]).toEqual(['Bearer a-secret-token']);
  });

  it('leaves out tools whose names or definitions models do not accept, and logs why', async () => {
    const log: string[] = [];
    const tools = [
      { ...toolNamed('huge'), inputSchema: { type: 'object', description: 'x'.repeat(200_000) } },
      { ...toolNamed('deep'), inputSchema: { type: 'object', properties: nested(100) } },
      ...[toolNamed('write.file'), toolNamed('write/file'), toolNamed('a'.repeat(64))],
      { ...toolNamed('deploy'), execution: { taskSupport: 'required' } },
      { ...toolNamed('read.file'), execution: { taskSupport: 'optional' } },
    ];
    const skill = await startWithFiles(model, { tools, log });

    await runWithCall(skill, 'files__read_file');

    expect(toolNames(model.requests[0])).toEqual(['files__read_file']);
    expect(skill.files.calls).toEqual(['read.file']);
    const [line] = log.filter((each) => each.includes('are left out'));
    expect(line).toContain('deep: its schema is nested too deeply');
    expect(line).toContain('deploy: its calls must be tasks of the protocol');
  });
});

describe('a tool of an MCP server', () => {
  spec('decideToolCalls', 200, 'waits for an approval unless it only reads', async () => {
    const { files, alice, agent } = await startWithFiles(model, { env: { MCP_SKILL_FILES_APPROVAL: '' } });
    const read = toolCallResponse('files__read', {});
    model.respondWith(read, toolCallResponse('files__write', {}), textResponse('Done.'));

    const { body: waiting } = await runAgent(alice, agent, 'Read, then write');
    const calledBefore = [...files.calls];
    await decide(alice, waiting, { approve: true });

    expect((await endedRun(alice, waiting)).status).toBe('completed');
    expect(callsOf(waiting).map(({ name }) => name)).toEqual(['files__write']);
    expect([calledBefore, files.calls]).toEqual([['read'], ['read', 'write']]);
  });

  const reasons = [
    ['the operator requires it', { MCP_SKILL_FILES_APPROVAL: 'always' }, []],
    ['the agent requires it', {}, ['files__read']],
  ] as const;

  describe.each(reasons)('where %s', (_who, env, approvals) => {
    spec('decideToolCalls', 200, 'waits, and is not called when the user rejects it', async () => {
      const { files, alice } = await startWithFiles(model, { env });
      const skills = ['mcp:files'];
      const agent = await createAgent(alice, { runtime: 'local', skills, approvals: [...approvals] });
      model.respondWith(toolCallResponse('files__read', {}), textResponse('Finished.'));

      const { body: waiting } = await runAgent(alice, agent, 'Read');
      await decide(alice, waiting, { approve: false, reason: 'Not today' });

      expect((await endedRun(alice, waiting)).status).toBe('completed');
      const [result] = await toolResults(alice, waiting.session_id);
      expect(result?.content).toContain('Not today');
      expect(files.calls).toEqual([]);
    });
  });
});

it('several MCP servers are separate skills', async () => {
  const [files, crm] = [await startScriptedMcpServer(), await startScriptedMcpServer()];
  const env = { MCP_SKILL_MY_CRM_URL: crm.url, MCP_SKILL_MY_CRM_APPROVAL: 'never' };
  const { alice } = await startWithMcpSkill(model, files, { env });
  const agent = await createAgent(alice, { runtime: 'local', skills: ['mcp:files', 'mcp:my-crm'] });

  await runWithCall({ model, alice, agent }, 'my-crm__read');

  const names = ['files__write', 'files__read', 'my-crm__write', 'my-crm__read'];
  expect(toolNames(model.requests[0])).toEqual(names);
  expect([files.calls, crm.calls]).toEqual([[], ['read']]);
});

const program = '@modelcontextprotocol/server-everything/dist/index.js';

/** Starts the reference MCP server, with revision 2025-11-25, until the test has ended. */
async function startEverythingServer(): Promise<{ readonly url: string }> {
  const port = await freePort();
  const preload = join(import.meta.dirname, '../../support/listen-on-loopback.ts');
  const script = join(import.meta.dirname, '../../../node_modules', program);
  const child = spawnProgram(process.execPath, [`--import=${preload}`, script, 'streamableHttp'], {
    PORT: String(port),
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  await untilListening(port);
  return { url: `http://127.0.0.1:${port}/mcp` };
}
