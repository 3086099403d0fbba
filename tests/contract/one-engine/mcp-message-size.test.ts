import { describe, expect, it } from 'vitest';
import { message, sendMcp, sendMessage } from '../../support/mcp.ts';
import { sharedServer } from '../../support/server.ts';

const server = sharedServer();
const token = await server.token('alice');

const manyZeros: readonly number[] = Array<number>(140_000).fill(0);
const manyKeys = Object.fromEntries(Array.from({ length: 80_000 }, (_, n) => [`k${n}`, 0]));

describe('a request to /mcp', () => {
  it.each([
    ['subscriptions/listen', { notifications: { resourceSubscriptions: manyZeros } }],
    ['initialize', { clientInfo: { name: 'x', version: '1', icons: manyZeros } }],
    ['tools/list', manyKeys],
    ['tools/call', { name: 'list_tasks', arguments: {}, other: Array(500).fill([]) }],
  ])(
    'to %s with more than 500 values outside its arguments is an invalid request with its id',
    async (method, params) => {
      const answer = await sendMessage(server, token, method, params);

      expect(answer.status).toBe(400);
      const message = expect.stringMatching(
        /^The message has more than 500 JSON values, not counting those/,
      ) as string;
      expect(answer.body).toMatchObject({ jsonrpc: '2.0', id: 1, error: { code: -32600, message } });
    },
  );

  it('whose id is long is refused without its id, because a refusal is small', async () => {
    const body = message('tools/list', manyKeys).replace('"id":1', `"id":"${'x'.repeat(900)}"`);

    const answer = await sendMcp(server, body, { token });

    expect(answer.body).toMatchObject({ id: null, error: { code: -32600 } });
  });
});

describe('a call of a tool', () => {
  it('with more than 100 arguments is an invalid request with its id', async () => {
    const call = { name: 'list_tasks', arguments: manyKeys };

    const answer = await sendMessage(server, token, 'tools/call', call);

    expect(answer.status).toBe(400);
    const message = expect.stringMatching(/^The object params\.arguments has more than 100/) as string;
    expect(answer.body).toMatchObject({ id: 1, error: { code: -32600, message } });
  });

  it('with many values inside its arguments is answered', async () => {
    const data = Array.from({ length: 10_000 }, (_, value) => ({ label: 'x', value }));

    const { body } = await sendMessage(server, token, 'tools/call', {
      name: 'render_chart',
      arguments: { data },
    });

    expect(body.result).toMatchObject({ content: [{ type: 'image' }, { type: 'text' }] });
  });

  it('with 140,000 entries of a filter is a result with the limit, not a failure of the server', async () => {
    const call = { name: 'list_tasks', arguments: { status: manyZeros } };

    const { body } = await sendMessage(server, token, 'tools/call', call);

    expect(body.result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^The argument "status" must not have more than 50 items\./) }],
    });
  });
});
