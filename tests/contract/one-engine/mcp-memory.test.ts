import { connect } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { message, sendMessage } from '../../support/mcp.ts';
import { metricOf } from '../../support/metrics.ts';
import { startTestServer } from '../../support/server.ts';
import { tokenFor } from '../../support/tokens.ts';

const budget = 16 * 2 ** 20;
const creation = { name: 'create_task', arguments: { title: 'x' } };

let open: (() => void)[] = [];

const server = await startTestServer({
  changes: { bufferedBytesMax: budget },
});

afterEach(async () => {
  for (const close of open) close();
  open = [];
  await expect.poll(() => metricOf(server, 'http_buffered_bytes')).toBe(0);
});

/** Calls `create_task` on a connection and reads no response. Returns a function that sends the call again. */
async function leave(user: string, body: string): Promise<() => void> {
  const headers = [
    'Host: x',
    `Authorization: Bearer ${await tokenFor(user)}`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    'MCP-Protocol-Version: 2026-07-28',
    'Mcp-Method: tools/call',
    `Mcp-Name: ${creation.name}`,
    `Content-Length: ${body.length}`,
  ];
  const request = `POST /mcp HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${body}`;
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  open.push(() => {
    socket.destroy();
  });
  socket.on('error', () => undefined);
  socket.pause();
  // Does not wait, because the server stops reading a connection whose responses are not read.
  const send = (): void => {
    socket.write(request);
  };
  send();
  return send;
}

it('a caller of tools who leaves a quarter of the memory unread is refused, and others are not', async () => {
  // A response repeats the id of its request, so a long id makes the response as long as the request.
  const body = message('tools/call', creation).replace('"id":1', `"id":"${'x'.repeat(900_000)}"`);
  const unread = (): Promise<number> => metricOf(server, 'http_buffered_bytes');
  const large = { name: 'list_tasks', arguments: { q: 'x'.repeat(900_000) } };
  const sendLarge = async (user: string): Promise<number> =>
    (await sendMessage(server, await tokenFor(user), 'tools/call', large)).status;
  for (let status = 200; status === 200; status = await sendLarge('alice')) {
    const before = await unread();
    const sendAgain = await leave('alice', body);
    // Sends again, because the operating system takes the first responses.
    for (let sent = 1; sent < 16 && (await unread()) <= before; sent += 1) sendAgain();
  }

  expect(await unread()).toBeGreaterThan(budget / 4 - 3 * body.length);
  expect(await sendLarge('alice')).toBe(503);
  expect(await sendLarge('bob')).toBe(200);
});
