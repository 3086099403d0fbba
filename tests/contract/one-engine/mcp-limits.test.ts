import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { callTool, clientName, connectMcp, sendMessage } from '../../support/mcp.ts';
import { sharedServer, startTestServer } from '../../support/server.ts';
import { tokenFor } from '../../support/tokens.ts';

const token = await tokenFor('alice');

describe('a server with limits of operations', () => {
  const lines: string[] = [];
  let server: Awaited<ReturnType<typeof startTestServer>>;

  beforeAll(async () => {
    vi.stubEnv('NODE_OPTIONS', `--import ${import.meta.resolve('../../support/faults/no-drawing.ts')}`);
    server = await startTestServer({ log: lines, env: { AGENT_REQUESTS_PER_MINUTE: '2' } });
  });

  afterAll(() => vi.unstubAllEnvs());

  it('counts calls of tools together with requests over HTTP', async () => {
    const alice = await server.as('alice');
    const client = await connectMcp(server, token);
    await alice.ok('listAgents');
    await callTool(client, 'list_agents');

    const refused = await callTool(client, 'list_agents');
    await alice.fails('listAgents', 429);

    expect(refused.isError).toBe(true);
    expect(refused.text).toMatch(/^Too many requests\. [\s\S]*\nRetry-After: \d+ s$/);
  });

  it('logs and measures a call of a tool with its operation, and with the status and cause that it would have over HTTP', async () => {
    const client = await connectMcp(server, token);
    await callTool(client, 'create_task', { title: 'A secret title' });
    await callTool(client, 'get_task', { id: 'none' });
    const failed = await callTool(client, 'render_chart', { data: [{ label: 'a', value: 1 }] });

    const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const metrics = await (await fetch(`${server.url}/metrics`)).text();

    const common = { method: 'POST', path: '/mcp', user: 'alice', client: clientName };
    for (const [tool, operation, status] of [
      ['create_task', 'createTask', 201],
      ['get_task', 'getTask', 404],
      ['render_chart', 'renderPng', 500],
    ] as const) {
      expect(logged).toContainEqual(expect.objectContaining({ ...common, tool, operation, status }));
      expect(metrics).toContain(`http_requests_total{operation="${operation}",status="${status}"} 1`);
    }
    const err = expect.objectContaining({ stack: expect.any(String) });
    expect(logged).toContainEqual(expect.objectContaining({ level: 50, status: 500, err }));
    const text = 'The chart could not be rendered. Try again, and tell the operator if it keeps failing.';
    expect(failed).toMatchObject({ isError: true, text });
    expect(lines.join('')).not.toContain('A secret title');
    expect(lines.join('')).not.toContain(token);
  });
});

const server = sharedServer();
const manyZeros: readonly number[] = Array<number>(140_000).fill(0);
const manyKeys = Object.fromEntries(Array.from({ length: 80_000 }, (_, n) => [`k${n}`, 0]));

describe('a request to /mcp', () => {
  it.each([
    ['subscriptions/listen', { notifications: { resourceSubscriptions: manyZeros } }],
    ['initialize', { clientInfo: { name: 'x', version: '1', icons: manyZeros } }],
    ['tools/list', manyKeys],
    ['tools/call', { name: 'list_tasks', arguments: {}, other: Array(500).fill([]) }],
    ['tools/call', { name: 'list_tasks', arguments: manyKeys }],
  ])('to %s with over 500 values outside its arguments is refused', async (method, params) => {
    const answer = await sendMessage(server, token, method, params);

    expect(answer.status).toBe(400);
    expect(answer.body.detail).toMatch(/^The message has more than 500 JSON values, not counting/);
  });
});

describe('a call of a tool', () => {
  it('with 140,000 values inside its arguments is a result with their limit, not a failure of the server', async () => {
    const call = { name: 'list_tasks', arguments: { status: manyZeros } };

    const { body } = await sendMessage(server, token, 'tools/call', call);

    expect(body.result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^The argument "status" must not have more than 50 items\./) }],
    });
  });
});
