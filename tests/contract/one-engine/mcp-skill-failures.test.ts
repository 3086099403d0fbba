import { describe, expect, it } from 'vitest';
import { endedRun, runAgent, toolResults } from '../../support/agents.ts';
import { callsOf, decide } from '../../support/approvals.ts';
import { startModelServer, textResponse, toolCallResponse } from '../../support/model-server.ts';
import {
  errorResponse,
  resultResponse,
  streamResponse,
  writeAndRead,
  type CallResponse,
} from '../../support/scripted-mcp-server.ts';
import { runWithCall, startWithFiles } from '../../support/with-mcp-skill.ts';

const model = await startModelServer();
const log: string[] = [];
const skill = await startWithFiles(model, { tools: writeAndRead, log });
const { files } = skill;

/** Makes the model call a tool, whose server responds with `respond`. */
function call(name: string, respond: CallResponse, values: object = {}): ReturnType<typeof runWithCall> {
  files.respond = respond;
  return runWithCall(skill, `files__${name}`, values);
}

const eventStream = { 'Content-Type': 'text/event-stream' };
const cut: CallResponse = (response) => response.destroy();
const endStream: CallResponse = (response) => response.writeHead(200, eventStream).end(': open\n\n');
const untyped: CallResponse = (response, { id }) =>
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { content: 'Done.' } }));
const withoutId = (body: unknown): CallResponse => {
  return (response) => response.setHeader('Content-Type', 'application/json').end(JSON.stringify(body));
};
const nullId = { jsonrpc: '2.0', id: null, error: { code: -32_600, message: 'Invalid request.' } };
const scope = { 'WWW-Authenticate': 'Bearer error="insufficient_scope", scope="files:write"' };
const failures: readonly (readonly [string, CallResponse, RegExp])[] = [
  ['breaks the connection', cut, /did not answer \(UND_ERR_SOCKET\)\./],
  ['ends its stream without a result', endStream, /ended its response without a result/],
  ['accepts it without a result', (response) => response.writeHead(202).end(), /ended its response without/],
  ['answers without an id', withoutId(nullId), /ended its response without a result/],
  ['answers with an empty list', withoutId([]), /ended its response without a result/],
  ['requires another scope', (response) => response.writeHead(403, scope).end(), /answered 403\./],
  ['fails', (response) => response.writeHead(500).end('<html>'), /answered 500\./],
  ['fails with an error', errorResponse('No such file.', -32_603, 500), /answered 500: No such file\.\n/],
  ['returns ten megabytes', resultResponse('x'.repeat(10 * 2 ** 20)), /sent more than 1048576 bytes/],
];

describe.each(failures)('a call of a tool whose server %s', (_name, respond, reason) => {
  it('fails with a sentence that says whether it may have taken effect, and the run continues', async () => {
    const before = files.calls.length;

    const read = await call('read', respond);
    const write = await call('write', respond);

    for (const { run, result } of [read, write]) {
      expect(run).toMatchObject({ status: 'completed', output: 'Finished.' });
      expect(result).toMatchObject({ is_error: true, content: expect.stringMatching(reason) });
      expect(result?.content).not.toMatch(/127\.0\.0\.1|a-secret-token/);
    }
    expect(read.result?.content).toMatch(/The call can be repeated\.$/);
    expect(write.result?.content).toMatch(/The outcome of this call is unknown/);
    expect(files.calls.slice(before)).toEqual(['read', 'write']);
  });
});

const zeros: readonly number[] = Array<number>(100_000).fill(0);
const zerosAsEvent: CallResponse = (response, { id }) => {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  // The quotation mark is in a comment of the stream, so it does not begin a JSON string.
  response.write(': "\\\n');
  response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result: { content: zeros } })}\n\n`);
};
const twentyThousandRequests: CallResponse = (response) => {
  const pings = Array.from({ length: 20_000 }, (_each, id) => ({ jsonrpc: '2.0', id, method: 'ping' }));
  streamResponse(response, pings);
};
const nullAsError: CallResponse = (response, { id }) => {
  const result = {
    content: [{ type: 'text', text: 'Done.' }, { type: 'video' }, { text: null }, { text: 'Read.' }],
  };
  streamResponse(response, [{ jsonrpc: '2.0', id, error: null, result }]);
};
const readable = /^Done\.\n\{"type":"video"\}\n\{\}\n\{"text":"Read\."\}$/;
const rows = { structuredContent: { rows: ['a'.repeat(30), 'b', 'c'] } };
const tooMany = /sent more than 20000 JSON values/;

const results: readonly (readonly [what: string, CallResponse, content: RegExp])[] = [
  [
    'an error',
    errorResponse('No such file.'),
    /The MCP server "files" answered with an error: No such file\./,
  ],
  ['an error as result', resultResponse('The disk is full.', { isError: true }), /^The disk is full\.$/],
  [
    'a failure of its own',
    errorResponse('Upstream timed out.', -32_603),
    /answered with an error: Upstream timed out\.\nThe outcome of this call is unknown/,
  ],
  ['twenty thousand requests', twentyThousandRequests, /sent more than 100 requests/],
  ['many values as content', resultResponse('', { content: zeros }), tooMany],
  ['many values in a stream, after a comment', zerosAsEvent, tooMany],
];

describe('a call of a tool', () => {
  it.each(results)('fails, and the run goes on, if %s is sent', async (_what, respond, sentence) => {
    const { run, result } = await call('write', respond);

    expect(run).toMatchObject({ status: 'completed', output: 'Finished.' });
    expect(result).toMatchObject({ is_error: true, content: expect.stringMatching(sentence) });
  });

  it.each([
    ['a long text with many commas', resultResponse('"[,{\\'.repeat(100_000)), /^"\[,\{/],
    ['null as an error, and blocks that cannot be read', nullAsError, readable],
    ['fields that are a list', resultResponse('', { structuredContent: [1, 2] }), /{"result":\[1,2\]}$/],
    ['a text that only summarizes its fields', resultResponse('3 rows', rows), /^3 rows\n{"rows":\["a{30}/],
    ['a text instead of blocks', resultResponse('', { content: 'Done.' }), /^Done\.$/],
    ['JSON without its type', untyped, /^Done\.$/],
  ])('succeeds if the server sends %s', async (_what, respond, content) => {
    const { run, result } = await call('read', respond);

    expect(run.status).toBe('completed');
    expect(result).toMatchObject({ is_error: false, content: expect.stringMatching(content) });
  });

  it('stores no text that Postgres cannot store, and no picture that could contain a script', async () => {
    const svg = { type: 'image', mimeType: 'image/svg+xml', data: 'PHN2Zy8+' };
    const text = { type: 'text', text: 'a\u0000b\ud800c' };

    const { result } = await call('read', resultResponse('', { content: [text, svg] }));

    const content = 'ab\ufffdc\n[image/svg+xml cannot be shown]';
    expect(result).toMatchObject({ is_error: false, attachments: null, content });
  });

  it('does not log what a server sends, which may repeat the token and the arguments', async () => {
    const before = log.length;
    const repeating: CallResponse = (response) => {
      response.writeHead(500).end('Authorization: Bearer a-secret-token, private words');
    };

    const { result } = await call('read', repeating, { text: 'private words' });
    expect(result?.content).toContain('answered 500: Authorization: Bearer …, private words\n');

    const lines = log.slice(before).filter((line) => line.includes('files__read'));
    expect(lines.join('')).toMatch(/"session_id".*"a tool call failed"/);
    expect(lines.join('')).toContain('the MCP server files answered 500');
    expect(log.join('')).not.toMatch(/a-secret-token|private words/);
  });

  it('has the result of a stream that ends and is resumed, and is sent once', async () => {
    const resumed = await startWithFiles(model);
    let requested: unknown;
    resumed.files.respond = (response, { id }) => {
      requested = id;
      response.writeHead(200, eventStream).end('id: seven\nretry: 1\ndata: \n\n');
    };
    resumed.files.resume = (response, lastEventId) => {
      const result = { content: [{ type: 'text', text: `After ${lastEventId}.` }] };
      streamResponse(response, [{ jsonrpc: '2.0', id: requested, result }]);
    };

    const { result } = await runWithCall(resumed, 'files__write');

    expect(result).toMatchObject({ is_error: false, content: 'After seven.' });
    expect(resumed.files.calls).toEqual(['write']);
  });

  it('is not sent to a server that no longer has the tool', async () => {
    const changed = await startWithFiles(model, { env: { MCP_SKILL_FILES_APPROVAL: 'writes' } });
    model.respondWith(toolCallResponse('files__write', {}), textResponse('Finished.'));
    const { body: waiting } = await runAgent(changed.alice, changed.agent, 'Write');
    changed.files.tools = [];

    await decide(changed.alice, waiting, { approve: true });

    expect(callsOf(waiting)).toHaveLength(1);
    expect((await endedRun(changed.alice, waiting)).status).toBe('completed');
    const [result] = await toolResults(changed.alice, waiting.session_id);
    expect(result?.content).toMatch(/^There is no tool "files__write"\./);
    expect(changed.files.calls).toEqual([]);
  });
});
