import { describe, expect, it } from 'vitest';
import { message, sendMcp, sendMessage } from '../../support/mcp.ts';
import { sharedServer } from '../../support/server.ts';

const server = sharedServer();
const token = await server.token('alice');

const list = message('tools/list');
const headers = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/list' };
const olderList =
  '{"jsonrpc":"2.0","id":1,"method":"tools/list","error":null,"params":{"cursor":null,"_meta":{"progressToken":null}}}';
const older = { 'MCP-Protocol-Version': '2025-11-25', Accept: 'application/json' };

describe('a request to /mcp', () => {
  it('may have its media types in any case and with parameters', async () => {
    const answer = await sendMcp(server, list, {
      token,
      headers: {
        ...headers,
        Accept: 'Application/JSON;charset=utf-8, Text/Event-Stream;charset=utf-8',
        'Content-Type': 'Application/JSON; Charset=UTF-8',
      },
    });

    expect(answer.status).toBe(200);
  });

  it.each(['*/*', 'application/json', 'application/*'])(
    'that accepts %s is answered with JSON, in each revision',
    async (Accept) => {
      for (const [body, own] of [
        [list, headers],
        [olderList, older],
      ] as const) {
        const answer = await sendMcp(server, body, { token, headers: { ...own, Accept } });

        expect(answer.status).toBe(200);
        expect(answer.headers.get('Content-Type')).toMatch(/^application\/json/);
        expect(answer.body).toMatchObject({ result: { tools: expect.any(Array) } });
      }
    },
  );

  it.each(['GET', 'DELETE', 'PUT', 'HEAD', 'OPTIONS'])('by %s is answered with Allow', async (method) => {
    const answer = await sendMcp(server, undefined, { token, method });

    const status = method === 'OPTIONS' ? 204 : 405;
    expect([answer.status, answer.headers.get('Allow')]).toEqual([status, 'POST, OPTIONS']);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=latin1'])(
    'of the type %s is 415',
    async (type) => {
      const answer = await sendMcp(server, list, { token, headers: { ...headers, 'Content-Type': type } });

      expect(answer.status).toBe(415);
      expect(answer.body.detail).toMatch(/JSON|json/);
    },
  );

  it.each(['{', '"text"', 'nonsense', '[1,'])('with the body %s is 400', async (body) => {
    const answer = await sendMcp(server, body, { token, headers });

    expect(answer.status).toBe(400);
    expect(answer.body.detail).toMatch(/JSON/);
  });

  it.each([
    '{}',
    '',
    '{"jsonrpc":"1.0","id":1,"method":"tools/list"}',
    '{"jsonrpc":"2.0","id":{},"method":1}',
  ])('with the body %s, which is not a message, is an error of the protocol', async (body) => {
    const answer = await sendMcp(server, body, { token });

    expect(answer.status).toBe(400);
    expect(answer.body.error?.message).toMatch(/\w+ \w+/);
  });

  it('with a batch is 400', async () => {
    const answer = await sendMcp(server, `[${list},${list}]`, { token, headers });

    expect(answer.status).toBe(400);
    expect(answer.body.detail).toMatch(/^Send one message in each request/);
  });

  it('with a body above 1 MiB is 413', async () => {
    const large = message('tools/list', { text: 'x'.repeat(2 ** 20) });
    const answer = await sendMcp(server, large, { token, headers });

    expect(answer.status).toBe(413);
    expect(answer.body.detail).toMatch(/larger than 1048576 bytes/);
  });
});

describe('a call of a tool', () => {
  it('that there is not is -32602 with the names of those that there are', async () => {
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
