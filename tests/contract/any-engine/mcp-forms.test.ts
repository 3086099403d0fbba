import { describe, expect, it } from 'vitest';
import { message, sendMcp } from '../../support/mcp.ts';
import { startTestServer } from '../../support/server.ts';
import { tokenFor } from '../../support/tokens.ts';

const server = await startTestServer();
const token = await tokenFor('alice');

const list = message('tools/list');
const headers = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/list' };
const olderList = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
const older = { 'MCP-Protocol-Version': '2025-11-25' };

describe('a request to /mcp', () => {
  it.each(['*/*', 'application/json', 'application/*'])(
    'that accepts %s is answered with JSON',
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

  it('of 2025-11-25 that accepts neither JSON nor events is 406', async () => {
    const answer = await sendMcp(server, olderList, { token, headers: { ...older, Accept: 'text/html' } });

    expect(answer.status).toBe(406);
  });

  it('to /mcp/ is one to /mcp', async () => {
    const answer = await fetch(`${server.url}/mcp/`, {
      method: 'POST',
      headers: { ...headers, Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: list,
    });

    expect(answer.status).toBe(200);
  });

  it.each([
    ['tools/call', { name: 5 }, '"name"'],
    ['tools/call', { name: 'list_tasks', arguments: [1] }, '"arguments"'],
  ])(
    '%s with %j is refused as wrong parameters, with the name of the wrong one',
    async (method, params, name) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      const answer = await sendMcp(server, body, {
        token,
        headers: { ...older, Accept: 'application/json' },
      });

      expect(answer.body.error?.code).toBe(-32602);
      expect(answer.body.error?.message).toContain(name);
    },
  );
});
