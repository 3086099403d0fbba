import { describe, expect } from 'vitest';
import type { Schemas } from '../../../server/src/contract/operation.ts';
import { createAgent, endedRun, runAgent, toolResults } from '../../support/agents.ts';
import { decisionsAbout } from '../../support/approvals.ts';
import { modelEnv, startModelServer, textResponse, toolCallResponse } from '../../support/model-server.ts';
import { resultResponse, startScriptedMcpServer, toolNamed } from '../../support/scripted-mcp-server.ts';
import { isShareable, startTestServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';
import { startWithMcpSkill } from '../../support/with-mcp-skill.ts';

const paths = {
  type: 'object',
  properties: {
    path: { type: 'string', maxLength: 3 },
    lines: { type: 'array', items: { type: 'integer' } },
    constructor: { type: 'string' },
  },
  required: ['path'],
  additionalProperties: false,
};
const asynchronous = { $async: true, properties: { path: { maxLength: 3 } } };

const dialects = {
  draft2020: paths,
  draft07: { ...paths, $schema: 'http://json-schema.org/draft-07/schema#' },
};
const unusable = {
  refers_to_a_schema_that_nobody_has: { properties: { path: { $ref: 'https://example.com/path' } } },
  has_a_pattern_that_backtracks_for_years: { properties: { path: { pattern: '^(a+)+$' } } },
  has_patterns_of_names: { patternProperties: { '^x-': { type: 'number' } }, additionalProperties: false },
  has_an_invalid_keyword: { properties: { path: { minimum: 'one' } } },
  is_asynchronous_for_Ajv: asynchronous,
  has_an_asynchronous_part_for_Ajv: { properties: { path: { $async: true, maxLength: 3 } } },
  has_a_list_of_unique_entries: { properties: { path: { uniqueItems: true } } },
  refers_to_an_asynchronous_schema_for_Ajv: { $ref: '#/$defs/a', $defs: { a: asynchronous } },
};

/** The arguments that the MCP server has received. */
const received: unknown[] = [];
const files = await startScriptedMcpServer(
  Object.entries({ ...dialects, ...unusable }).map(([name, schema]) => ({
    ...toolNamed(name),
    inputSchema: { type: 'object', ...schema },
  })),
  (response, request) => {
    received.push(request.params?.arguments);
    resultResponse('Written.')(response, request);
  },
);
const model = await startModelServer();
const { server, alice } = await startWithMcpSkill(model, files, {
  env: { MCP_SKILL_FILES_APPROVAL: 'always' },
});
const agent = await createAgent(alice, { runtime: 'local', skills: ['mcp:files'] });

/** Starts a run that waits for a decision about a call of this tool. */
async function waitingCall(tool: string): Promise<Schemas['Run']> {
  model.respondWith(toolCallResponse(`files__${tool}`, { path: 'a' }), textResponse('Finished.'));
  return (await runAgent(alice, agent, 'Write')).body;
}

describe.each(Object.keys(dialects))('arguments for a tool of an MCP server, %s,', (tool) => {
  spec('decideToolCalls', 400, 'are validated by its schema, and are what the MCP server gets', async () => {
    const run = await waitingCall(tool);
    const approveWith = (values: object): ReturnType<typeof decisionsAbout> =>
      decisionsAbout(run, { approve: true, arguments: { ...values } });
    const invalid = { path: 'long', lines: [1, 'two'], mode: 'w' };

    const { body } = await alice.fails('decideToolCalls', 400, approveWith(invalid));
    expect(body.errors?.map(({ pointer }) => pointer).toSorted()).toEqual(
      ['lines/1', 'mode', 'path'].map((name) => `/decisions/0/arguments/${name}`),
    );
    expect((await alice.ok('getRun', { id: run.id })).body).toEqual(run);

    await alice.ok('decideToolCalls', approveWith({ path: 'b', lines: [1] }));
    expect((await endedRun(alice, run)).status).toBe('completed');
    expect(received.at(-1)).toEqual({ path: 'b', lines: [1] });
    const [result] = await toolResults(alice, run.session_id);
    expect(result?.content).toBe(
      'The user changed the arguments of this call to {"path":"b","lines":[1]}\nWritten.',
    );
  });
});

describe.each(Object.keys(unusable))('a schema that %s', (tool) => {
  spec('decideToolCalls', 200, 'is left to the MCP server', async () => {
    const run = await waitingCall(tool);
    const values = { path: `${'a'.repeat(40)}!` };

    await alice.ok('decideToolCalls', decisionsAbout(run, { approve: true, arguments: values }));

    expect((await endedRun(alice, run)).status).toBe('completed');
    expect(received.at(-1)).toEqual(values);
  });
});

if (isShareable)
  spec('decideToolCalls', 400, 'a server that has not yet listed the tools validates them too', async () => {
    const run = await waitingCall('draft2020');
    const env = { MCP_SKILL_FILES_APPROVAL: 'always', MCP_SKILL_FILES_URL: files.url };
    const other = await startTestServer({ sharing: server, env: { ...env, ...modelEnv(model) } });

    const request = decisionsAbout(run, { approve: true, arguments: { path: 5 } });
    const { body } = await (await other.as('alice')).fails('decideToolCalls', 400, request);

    expect(body.errors?.map(({ pointer }) => pointer)).toEqual(['/decisions/0/arguments/path']);
  });
