import { describe, expect, it } from 'vitest';
import { startModelServer } from '../../support/model-server.ts';
import {
  resultResponse,
  startScriptedMcpServer,
  toolNamed,
  type CallResponse,
} from '../../support/scripted-mcp-server.ts';
import { runWithCall, startWithMcpSkill } from '../../support/with-mcp-skill.ts';

const model = await startModelServer();

const tools = [toolNamed('read', { readOnlyHint: true })];
const zeros: readonly number[] = Array<number>(100_000).fill(0);
const zerosAsContent = resultResponse('', { content: zeros });
const zerosAsIcons = resultResponse('', {
  _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'x', version: '1', icons: zeros } },
});
const zerosAsEvent: CallResponse = (response, { id }) => {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  // The quote in this comment does not begin a string of JSON.
  response.write(': "\\\n');
  response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result: { content: zeros } })}\n\n`);
};
const tooManyValues = /sent more than 20000 JSON values/;

const responses: readonly (readonly [string, CallResponse])[] = [
  ['as content', zerosAsContent],
  ['about itself', zerosAsIcons],
  ['in a stream, after a comment', zerosAsEvent],
];

describe('a call of a tool whose server returns', () => {
  it.each(responses)('many values %s fails, and the run continues', async (_name, respond) => {
    const files = await startScriptedMcpServer(tools, respond);
    const skill = await startWithMcpSkill(model, files);

    const { run, result } = await runWithCall(skill, model, 'files__read');

    expect(run).toMatchObject({ status: 'completed', output: 'Finished.' });
    expect(result).toMatchObject({
      is_error: true,
      content: expect.stringMatching(tooManyValues) as unknown,
    });
  });

  it('a long text with many commas has that text as its result', async () => {
    const files = await startScriptedMcpServer(tools, resultResponse('"[,{\\'.repeat(100_000)));
    const skill = await startWithMcpSkill(model, files);

    const { result } = await runWithCall(skill, model, 'files__read');

    expect(result).toMatchObject({ is_error: false });
    expect(result?.content).toMatch(/^"\[,\{/);
  });
});
