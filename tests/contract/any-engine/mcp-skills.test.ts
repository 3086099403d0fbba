import { describe, expect, it } from 'vitest';
import { createAgent, messagesOf, noLimits, runAgent } from '../../support/agents.ts';
import { callsOf, decide } from '../../support/approvals.ts';
import { startEverythingServer } from '../../support/everything-server.ts';
import { modelEnv, startModelServer, textResponse, toolCallResponse } from '../../support/model-server.ts';
import { startScriptedMcpServer, toolNamed } from '../../support/scripted-mcp-server.ts';
import { startTestServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';
import { runWithCall, startWithMcpSkill, toolNames } from '../../support/with-mcp-skill.ts';

const model = await startModelServer();

function nested(levels: number): object {
  return levels === 0 ? {} : { a: { properties: nested(levels - 1) } };
}

describe('the skill mcp:<name>', () => {
  it('gives the model the tools of the reference server, and calls them', async () => {
    const skill = await startWithMcpSkill(model, await startEverythingServer());

    const echo = await runWithCall(skill, model, 'files__echo', { message: 'Hello' });
    const [first] = model.requests;
    const sum = await runWithCall(skill, model, 'files__get-sum', { a: 19, b: 23 });
    const fields = await runWithCall(skill, model, 'files__get-structured-content', { location: 'Chicago' });
    const link = await runWithCall(skill, model, 'files__get-resource-links', { count: 1 });
    const picture = await runWithCall(skill, model, 'files__get-tiny-image');
    const invalid = await runWithCall(skill, model, 'files__get-sum', { a: 'many' });

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
    const skill = await startWithMcpSkill(
      model,
      { url: `${tasks.url}/mcp` },
      { env: { MCP_SKILL_FILES_TOKEN: token } },
    );

    const { result } = await runWithCall(skill, model, 'files__create_task', { title: 'From afar' });

    expect(result?.content).toContain('From afar');
    expect((await (await tasks.as('owner')).ok('listTasks')).body.tasks).toMatchObject([
      { title: 'From afar' },
    ]);
  });

  it('sends its token to the configured address, and gives its tools to no agent without it', async () => {
    const files = await startScriptedMcpServer([toolNamed('read')]);
    const { alice, agent } = await startWithMcpSkill(model, files);
    const other = await createAgent(alice, { runtime: 'local', skills: ['tasks:read'] });

    const withSkill = await runWithCall({ alice, agent }, model, 'files__read');
    const without = await runWithCall({ alice, agent: other }, model, 'files__read');

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
    const files = await startScriptedMcpServer(tools);
    const skill = await startWithMcpSkill(model, files, { log });

    await runWithCall(skill, model, 'files__read_file');

    expect(toolNames(model.requests[0])).toEqual(['files__read_file']);
    expect(files.calls).toEqual(['read.file']);
    const [line] = log.filter((each) => each.includes('are left out'));
    expect(line).toContain('"deep: its schema is nested too deeply"');
    expect(line).toContain('"deploy: its calls must be tasks of the protocol"');
  });
});

describe('a tool of an MCP server', () => {
  const tools = [toolNamed('write'), toolNamed('read', { readOnlyHint: true })];

  spec('decideToolCalls', 200, 'waits for an approval unless it only reads', async () => {
    const files = await startScriptedMcpServer(tools);
    const { alice, agent } = await startWithMcpSkill(model, files, {
      env: { MCP_SKILL_FILES_APPROVAL: '' },
    });
    model.respondWith(
      toolCallResponse('files__read', {}),
      toolCallResponse('files__write', {}),
      textResponse('Done.'),
    );

    const { body: waiting } = await runAgent(alice, agent, 'Read, then write');
    const calledBefore = [...files.calls];
    const decided = await decide(alice, waiting, { approve: true });
    await expect.poll(async () => (await alice.ok('getRun', decided)).body.status).toBe('completed');

    expect(callsOf(waiting).map(({ name }) => name)).toEqual(['files__write']);
    expect([calledBefore, files.calls]).toEqual([['read'], ['read', 'write']]);
  });

  spec('decideToolCalls', 200, 'is not called when the user rejects it', async () => {
    const files = await startScriptedMcpServer(tools);
    const { alice, agent } = await startWithMcpSkill(model, files, {
      env: { MCP_SKILL_FILES_APPROVAL: 'always' },
    });
    model.respondWith(toolCallResponse('files__read', {}), textResponse('Finished.'));

    const { body: waiting } = await runAgent(alice, agent, 'Read');
    await decide(alice, waiting, { approve: false, reason: 'Not today' });
    await expect.poll(async () => (await alice.ok('getRun', waiting)).body.status).toBe('completed');

    const messages = await messagesOf(alice, waiting.session_id);
    expect(messages.find(({ role }) => role === 'tool')?.content).toContain('Not today');
    expect(files.calls).toEqual([]);
  });

  spec('runAgent', 202, 'waits as the agent says, where the operator does not require it', async () => {
    const files = await startScriptedMcpServer(tools);
    const { alice } = await startWithMcpSkill(model, files);
    const agent = await createAgent(alice, {
      runtime: 'local',
      skills: ['mcp:files'],
      approvals: ['files__read'],
    });
    model.respondWith(toolCallResponse('files__read', {}));

    const { body } = await runAgent(alice, agent, 'Read');

    expect(callsOf(body).map(({ name }) => name)).toEqual(['files__read']);
  });
});

describe('several servers', () => {
  it('are separate skills', async () => {
    const files = await startScriptedMcpServer([toolNamed('read')]);
    const crm = await startScriptedMcpServer([toolNamed('read')]);
    const { alice } = await startTestServer({
      env: {
        ...{ ...noLimits, ...modelEnv(model), MCP_SKILLS: 'files,my-crm' },
        ...{ MCP_SKILL_FILES_URL: files.url, MCP_SKILL_MY_CRM_URL: crm.url },
        ...{ MCP_SKILL_FILES_APPROVAL: 'never', MCP_SKILL_MY_CRM_APPROVAL: 'never' },
      },
    }).then(async (server) => ({ alice: await server.as('alice') }));
    const agent = await createAgent(alice, { runtime: 'local', skills: ['mcp:files', 'mcp:my-crm'] });

    await runWithCall({ alice, agent }, model, 'my-crm__read');

    expect(toolNames(model.requests[0])).toEqual(['files__read', 'my-crm__read']);
    expect([files.calls, crm.calls]).toEqual([[], ['read']]);
  });
});
