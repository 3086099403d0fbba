import { describe, expect } from 'vitest';
import type { Schemas } from '../../../server/src/operation.ts';
import { endedRun, messagesOf, runAgent } from '../../support/agents.ts';
import { callsOf } from '../../support/approvals.ts';
import type { Client } from '../../support/client.ts';
import { startModelServer, textResponse, toolCallResponse } from '../../support/model-server.ts';
import { resultResponse, startScriptedMcpServer, toolNamed } from '../../support/scripted-mcp-server.ts';
import { spec } from '../../support/spec.ts';
import { startWithMcpSkill } from '../../support/with-mcp-skill.ts';

const model = await startModelServer();

interface Waiting {
  readonly alice: Client;
  readonly run: Schemas['Run'];
  /** The arguments that the MCP server was called with. */
  readonly received: readonly unknown[];
  readonly approveWith: (values: object) => { id: string; body: object };
}

/** Starts a run whose call of a tool with this schema waits for a decision. */
async function waitingCall(inputSchema: object): Promise<Waiting> {
  const received: unknown[] = [];
  const files = await startScriptedMcpServer(
    [{ ...toolNamed('write'), inputSchema }],
    (response, request) => {
      received.push(request.params?.arguments);
      resultResponse('Written.')(response, request);
    },
  );
  const approval = { MCP_SKILL_FILES_APPROVAL: 'always' };
  const { alice, agent } = await startWithMcpSkill(model, files, { env: approval });
  model.respondWith(toolCallResponse('files__write', { path: 'a' }), textResponse('Finished.'));
  const { body: run } = await runAgent(alice, agent, 'Write');
  const [{ id: tool_call_id } = { id: '' }] = callsOf(run);
  return {
    ...{ alice, run, received },
    approveWith: (values) => {
      const decisions = [{ tool_call_id, approve: true, arguments: values }];
      return { id: run.id, body: { decisions } };
    },
  };
}

const paths = {
  type: 'object',
  properties: {
    path: { type: 'string', maxLength: 3 },
    lines: { type: 'array', items: { type: 'integer' } },
  },
  required: ['path'],
  additionalProperties: false,
};

describe.each([{}, { $schema: 'http://json-schema.org/draft-07/schema#' }])(
  'arguments for a tool of an MCP server, %j,',
  (dialect) => {
    spec('decideToolCalls', 400, 'are validated by its schema, and are those that it receives', async () => {
      const { alice, run, received, approveWith } = await waitingCall({ ...paths, ...dialect });
      const invalid = { path: 'long', lines: [1, 'two'], mode: 'w' };

      const { body } = await alice.fails('decideToolCalls', 400, approveWith(invalid));
      expect(body.errors?.map(({ pointer }) => pointer).toSorted()).toEqual([
        '/decisions/0/arguments/lines/1',
        '/decisions/0/arguments/mode',
        '/decisions/0/arguments/path',
      ]);
      expect((await alice.ok('getRun', { id: run.id })).body).toEqual(run);

      await alice.ok('decideToolCalls', approveWith({ path: 'b', lines: [1] }));
      expect((await endedRun(alice, run)).status).toBe('completed');
      expect(received).toEqual([{ path: 'b', lines: [1] }]);
      const messages = await messagesOf(alice, run.session_id);
      expect(messages[2]?.content).toBe(
        'The user changed the arguments of this call to {"path":"b","lines":[1]}\nWritten.',
      );
    });
  },
);

describe.each([
  ['refers to a schema that nobody has', { properties: { path: { $ref: 'https://example.com/path' } } }],
  ['has a pattern that backtracks for years', { properties: { path: { pattern: '^(a+)+$' } } }],
  [
    'has patterns of names',
    { patternProperties: { '^x-': { type: 'number' } }, additionalProperties: false },
  ],
  ['has an invalid keyword', { properties: { path: { minimum: 'one' } } }],
  ['is asynchronous for Ajv', { $async: true, properties: { path: { maxLength: 3 } } }],
  ['has an asynchronous part for Ajv', { properties: { path: { $async: true, maxLength: 3 } } }],
  [
    'refers to an asynchronous schema for Ajv',
    { $ref: '#/$defs/a', $defs: { a: { $async: true, properties: { path: { maxLength: 3 } } } } },
  ],
])('a schema that %s', (_what, schema) => {
  spec('decideToolCalls', 200, 'is left to the MCP server', async () => {
    const { alice, run, received, approveWith } = await waitingCall({ type: 'object', ...schema });
    const values = { path: `${'a'.repeat(40)}!` };

    await alice.ok('decideToolCalls', approveWith(values));

    expect((await endedRun(alice, run)).status).toBe('completed');
    expect(received).toEqual([values]);
  });
});
