import { describe, expect, it } from 'vitest';
import { messagesOf, runAgent } from '../../support/agents.ts';
import { callsOf, decide } from '../../support/approvals.ts';
import { startModelServer, textResponse, toolCallResponse } from '../../support/model-server.ts';
import {
  errorResponse,
  resultResponse,
  startScriptedMcpServer,
  streamResponse,
  toolNamed,
  type CallResponse,
} from '../../support/scripted-mcp-server.ts';
import { runWithCall, startWithMcpSkill } from '../../support/with-mcp-skill.ts';

const model = await startModelServer();

const tools = [toolNamed('write'), toolNamed('read', { readOnlyHint: true })];
const never: CallResponse = () => undefined;
const cut: CallResponse = (response) => response.destroy();
const tenMegabytes = resultResponse('x'.repeat(10 * 2 ** 20));
const failures: readonly (readonly [string, CallResponse, RegExp, RegExp])[] = [
  ['does not answer', never, /did not answer in time\./, /did not answer in time\./],
  ['breaks the connection', cut, /did not answer, or/, /did not answer, or/],
  ['fails', (response) => response.writeHead(500).end('<html>'), /did not answer, or/, /did not answer, or/],
  ['returns ten megabytes', tenMegabytes, /sent more than 1048576 bytes/, /sent more than 1048576 bytes/],
];

describe.each(failures)('a call of a tool whose server %s', (_name, respond, ofReading, ofWriting) => {
  it('fails with a sentence that says whether it may have taken effect, and the run continues', async () => {
    const files = await startScriptedMcpServer(tools, respond);
    const changes = respond === never ? { agents: { toolMs: 1000 } } : {};
    const skill = await startWithMcpSkill(model, files, { changes });

    const read = await runWithCall(skill, model, 'files__read');
    const write = await runWithCall(skill, model, 'files__write');

    for (const { run, result } of [read, write]) {
      expect(run).toMatchObject({ status: 'completed', output: 'Finished.' });
      expect(result?.is_error).toBe(true);
      expect(result?.content).not.toMatch(/127\.0\.0\.1|a-secret-token/);
    }
    expect(read.result?.content).toMatch(ofReading);
    expect(read.result?.content).toMatch(/The call can be repeated\.$/);
    expect(write.result?.content).toMatch(ofWriting);
    expect(write.result?.content).toMatch(/The outcome of this call is unknown/);
    expect(files.calls).toEqual(['read', 'write']);
  });
});

describe('a call of a tool', () => {
  it('fails with the message of the server', async () => {
    const files = await startScriptedMcpServer(tools, errorResponse('There is no such file.'));
    const skill = await startWithMcpSkill(model, files);

    const refused = await runWithCall(skill, model, 'files__write');
    files.respond = resultResponse('The disk is full.', { isError: true });
    const failed = await runWithCall(skill, model, 'files__write');

    expect(refused.result?.content).toContain(
      'The MCP server "files" refused the call: There is no such file.',
    );
    expect(failed.result).toMatchObject({ content: 'The disk is full.', is_error: true });
  });

  it('has an unknown outcome where the server reports a failure of its own', async () => {
    const files = await startScriptedMcpServer(tools, errorResponse('Upstream timed out.', -32_603));
    const skill = await startWithMcpSkill(model, files);

    const { result } = await runWithCall(skill, model, 'files__write');

    expect(result?.content).toMatch(
      /refused the call: Upstream timed out\.\nThe outcome of this call is unknown/,
    );
  });

  it('has what a server sends against its own schema', async () => {
    const lying = { ...toolNamed('count'), outputSchema: { type: 'object', required: ['count'] } };
    const files = await startScriptedMcpServer(
      [lying],
      resultResponse('None.', { structuredContent: { a: 1 } }),
    );
    const skill = await startWithMcpSkill(model, files);

    const { result } = await runWithCall(skill, model, 'files__count');

    expect(result).toMatchObject({ content: 'None.', is_error: false });
  });

  it('stores no text that Postgres cannot store, and no picture that could contain a script', async () => {
    const svg = { type: 'image', mimeType: 'image/svg+xml', data: 'PHN2Zy8+' };
    const text = { type: 'text', text: 'a\u0000b\ud800c' };
    const files = await startScriptedMcpServer(tools, resultResponse('', { content: [text, svg] }));
    const skill = await startWithMcpSkill(model, files);

    const { result } = await runWithCall(skill, model, 'files__read');

    expect(result).toMatchObject({ is_error: false, attachments: null });
    expect(result?.content).toBe('ab\ufffdc\n[image/svg+xml cannot be shown]');
  });

  // This is written as text, because serializing such an object would overflow the stack.
  const deep = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`;
  const hostile: readonly (readonly [string, CallResponse, RegExp])[] = [
    ['an error with a NUL', errorResponse('a\u0000b'), /refused the call: ab\n/],
    [
      'a result of five thousand levels',
      (response, { id }) => {
        response.writeHead(200, { 'Content-Type': 'application/json' });
        response.end(
          `{"jsonrpc":"2.0","id":${String(id)},"result":{"content":[],"structuredContent":${deep}}}`,
        );
      },
      /nested too deeply|could not be read/,
    ],
    [
      'twenty thousand requests of its own',
      (response) => {
        streamResponse(
          response,
          Array.from({ length: 20_000 }, (_each, id) => ({ jsonrpc: '2.0', id, method: 'ping' })),
        );
      },
      /sent more than 100 requests/,
    ],
  ];

  it.each(hostile)(
    'ends, and so does its run, where the server sends %s',
    async (_name, respond, sentence) => {
      const files = await startScriptedMcpServer(tools, respond);
      const skill = await startWithMcpSkill(model, files);

      const { run, result } = await runWithCall(skill, model, 'files__write');

      expect(run.status).toBe('completed');
      expect(result?.content).toMatch(sentence);
    },
  );

  it('does not log what a server sends, which may repeat the token and the arguments', async () => {
    const log: string[] = [];
    const files = await startScriptedMcpServer(tools, (response) => {
      response.writeHead(500).end('Authorization: Bearer a-secret-token, private words');
    });
    const skill = await startWithMcpSkill(model, files, { log });

    await runWithCall(skill, model, 'files__read', { text: 'private words' });

    const lines = log.filter((line) => line.includes('files__read'));
    expect(lines.join('')).toMatch(/"session_id".*"a tool call failed"/);
    expect(lines.join('')).toContain('the MCP server files answered 500');
    expect(log.join('')).not.toMatch(/a-secret-token|private words/);
  });

  it('does nothing while its server is away, and the run continues', async () => {
    const files = await startScriptedMcpServer(tools);
    const skill = await startWithMcpSkill(model, files);
    await runWithCall(skill, model, 'files__read');
    files.stop();

    const { run, result } = await runWithCall(skill, model, 'files__write');

    expect(run.status).toBe('completed');
    expect(result?.content).toMatch(/cannot be reached, or refused the connection\. Nothing was done\.$/);
  });

  it('is not sent to a server that has no such tool any more', async () => {
    const files = await startScriptedMcpServer(tools);
    const { alice, agent } = await startWithMcpSkill(model, files, {
      env: { MCP_SKILL_FILES_APPROVAL: 'writes' },
    });
    model.respondWith(toolCallResponse('files__write', {}), textResponse('Finished.'));
    const { body: waiting } = await runAgent(alice, agent, 'Write');
    files.tools = [];

    const decided = await decide(alice, waiting, { approve: true });

    expect(callsOf(waiting)).toHaveLength(1);
    await expect.poll(async () => (await alice.ok('getRun', decided)).body.status).toBe('completed');
    const result = (await messagesOf(alice, waiting.session_id)).find(({ role }) => role === 'tool');
    expect(result?.content).toMatch(/^There is no tool "files__write"\./);
    expect(files.calls).toEqual([]);
  });
});
