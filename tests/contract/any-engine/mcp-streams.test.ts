import { describe, expect, it } from 'vitest';
import { startModelServer } from '../../support/model-server.ts';
import { streamResponse } from '../../support/scripted-mcp-server.ts';
import { runWithCall, startWithFiles } from '../../support/with-mcp-skill.ts';

const model = await startModelServer();

function resultFor(id: unknown, text: string): object {
  return { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } };
}

describe('a call of a tool of an MCP server', () => {
  it('has the result of a stream that ends and is resumed, and is sent once', async () => {
    let requested: unknown;
    const skill = await startWithFiles(model, {
      respond: (response, { id }) => {
        requested = id;
        response.writeHead(200, { 'Content-Type': 'text/event-stream' });
        response.end('id: seven\nretry: 1\ndata: \n\n');
      },
    });
    skill.files.resume = (response, lastEventId) => {
      streamResponse(response, [resultFor(requested, `After ${lastEventId}.`)]);
    };

    const { result } = await runWithCall(skill, 'files__write');

    expect(result).toMatchObject({ is_error: false, content: 'After seven.' });
    expect(skill.files.calls).toEqual(['write']);
  });
});
