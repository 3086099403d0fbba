import { describe, expect, it } from 'vitest';
import { message, sendMcp, sendMessage } from '../../support/mcp.ts';
import { sharedServer } from '../../support/server.ts';

const server = sharedServer();
const token = await server.token('alice');

const list = message('tools/list');
const headers = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/list' };
const olderList =
  '{"jsonrpc":"2.0","id":1,"method":"tools/list","error":null,"params":{"cursor":null,"_meta":{"progressToken":null}}}';
const type = { 'Content-Type': 'Application/JSON; Charset=UTF-8' };
const older = { 'MCP-Protocol-Version': '2025-11-25', Accept: 'application/json' };

describe('a request to /mcp', () => {
  it.each(['*/*', 'application/json', 'application/*', 'Text/Event-Stream;q=0.9, Application/JSON;x=y'])(
    'that accepts %s is answered with JSON, in each revision',
    async (Accept) => {
      for (const [body, own] of [
        [list, headers],
        [olderList, older],
      ] as const) {
        const answer = await sendMcp(server, body, { token, headers: { ...own, ...type, Accept } });

        expect(answer.status).toBe(200);
        expect(answer.headers.get('Content-Type')).toMatch(/^application\/json/);
        expect(answer.body).toMatchObject({ result: { tools: expect.any(Array) } });
      }
    },
  );

  // The body is read as those of operations are; see bad-bodies.test.ts.
  it.each<[what: string, body: string, status: number, sentence: RegExp, mediaType?: string]>([
    ['another media type', list, 415, /JSON/, 'text/plain'],
    ['no JSON', '{', 400, /JSON/],
    ['a batch', `[${list},${list}]`, 400, /^Send one message in each request/],
    ['over 1 MiB', message('tools/list', { text: 'x'.repeat(2 ** 20) }), 413, /larger than 1048576 bytes/],
    ['no method', '{}', 400, /^error: \w+ \w+/],
    ['no body', '', 400, /^error: \w+ \w+/],
    ['another version', '{"jsonrpc":"1.0","id":1,"method":"tools/list"}', 400, /^error: \w+ \w+/],
    ['wrong types', '{"jsonrpc":"2.0","id":{},"method":1}', 400, /^error: \w+ \w+/],
  ])(
    'with %s is refused with a sentence',
    async (_what, body, status, sentence, type = 'application/json') => {
      const answer = await sendMcp(server, body, { token, headers: { 'Content-Type': type } });

      expect(answer.status).toBe(status);
      const { detail, error } = answer.body;
      expect(detail ?? `error: ${error?.message ?? ''}`).toMatch(sentence);
    },
  );
});

describe('a call of a tool', () => {
  it('that does not exist is -32602, with the names of those that exist', async () => {
    const answer = await sendMessage(server, token, 'tools/call', { name: 'drop_tables', arguments: {} });

    expect(answer.body.error).toMatchObject({
      code: -32602,
      message: expect.stringMatching(/^There is no tool "drop_tables"\. The tools are: list_tasks, /),
    });
  });

  it.each([
    ['create_task', {}, 'The argument "title" is required.'],
    ['create_task', { title: 'x', due: '1' }, /"due" is not an argument of create_task, which has /],
    ['create_task', { title: 'x', idempotency_key: 'ü' }, /"idempotency_key" must have 1 to 255 /],
    ['list_tasks', { limit: 'ten' }, 'The argument "limit" must be a whole number.'],
    ['list_tasks', { cursor: 'x' }, /^The argument "cursor" /],
    ['get_task', null, 'The argument "id" is required.'],
    ['get_task', { id: 7 }, 'The argument "id" must be a string.'],
    ['get_task', { id: '\ud800' }, 'No task has this id. List the tasks to see which there are.'],
    ['render_chart', { data: [{ label: 'a' }] }, 'The argument "data/0/value" is required.'],
    ['run_agent', { id: 'x', input: 'y' }, /^You have no agent with this id\./],
    ['get_run', { id: 'x' }, /^You have no run with this id\./],
    ['list_messages', { id: 'x\0' }, /^You have no session with this id\./],
  ])('%s with the arguments %j is a result with a sentence', async (name, values, sentence) => {
    const { status, body } = await sendMessage(server, token, 'tools/call', { name, arguments: values });

    expect(status).toBe(200);
    expect(body.result).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: expect.stringMatching(sentence) }],
    });
  });

  it.each([
    ['arguments', 'text'],
    ['arguments', [1]],
    ['name', 7],
  ])('whose %s are %j is an error of the protocol, in each revision', async (field, value) => {
    const params = { name: 'list_tasks', [field]: value };
    const own = { ...headers, 'Mcp-Method': 'tools/call', 'Mcp-Name': 'list_tasks' };
    const olderCall = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });

    const answer = await sendMcp(server, message('tools/call', params), { token, headers: own });
    const ofOlder = await sendMcp(server, olderCall, { token, headers: older });

    expect(answer.status).toBeLessThan(500);
    expect(answer.body.error?.code).toBeLessThanOrEqual(-32000);
    expect(ofOlder.body.error?.code).toBe(-32602);
    expect(ofOlder.body.error?.message).toContain(`"${field}"`);
  });
});
