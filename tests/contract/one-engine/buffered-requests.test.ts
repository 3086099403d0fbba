import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { createAgent, noLimits } from '../../support/agents.ts';
import { message, sendMessage } from '../../support/mcp.ts';
import { keptMemory } from '../../support/memory.ts';
import { metricOf } from '../../support/metrics.ts';
import { modelEnv, startModelServer } from '../../support/model-server.ts';
import { startTestServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';
import { tokenFor } from '../../support/tokens.ts';

const mebibyte = 2 ** 20;

let sockets: Socket[] = [];

const server = await startTestServer({ changes: { bufferedBytesMax: 16 * mebibyte } });
const alice = await server.as('alice');

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  await expect.poll(bufferedBytes).toBe(0);
});

/** Opens a connection whose responses are not read. */
async function open({ url } = server): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  socket.on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

async function headOf(line: string, user: string, headers: string): Promise<string> {
  return `${line} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${await tokenFor(user)}\r\n${headers}\r\n\r\n`;
}

/** Sends the head of a request that creates a task, and the beginning of its body. Resolves to the connection. */
async function begin(
  user: string,
  headers: string,
  beginning: string | Buffer = '',
  at = server,
): Promise<Socket> {
  const socket = await open(at);
  socket.write(await headOf('POST /api/tasks', user, headers));
  socket.write(beginning);
  return socket;
}

/** Sends the first million bytes of a body, which count as two million bytes plus a little for each chunk. */
async function beginMillion(user: string): Promise<void> {
  const before = await bufferedBytes();
  await begin(user, `Content-Length: ${mebibyte}`, Buffer.alloc(1e6, ' '));
  await expect.poll(bufferedBytes).toBeGreaterThanOrEqual(before + 2e6);
}

function bufferedBytes(): Promise<number> {
  return metricOf(server, 'http_buffered_bytes');
}

it('a chunked body above 1 MiB is not kept in memory while the rest of it is discarded', async () => {
  const socket = await begin('alice', 'Transfer-Encoding: chunked');
  const chunk = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(mebibyte, ' '), Buffer.from('\r\n')]);
  const refused = once(socket, 'data') as Promise<[Buffer]>;
  const before = (await keptMemory()).arrayBuffers;

  // On a busy machine, the server may end the connection before everything has been sent.
  for (let sent = 0; sent < 64 && !socket.destroyed; sent += 1) {
    if (!socket.write(chunk)) await once(socket, 'drain').catch(() => undefined);
  }

  expect((await keptMemory()).arrayBuffers - before).toBeLessThan(16 * mebibyte);
  expect(String((await refused)[0])).toMatch(/^HTTP\/1\.1 413 /);
});

it.each(['identity', 'gzip', 'deflate', 'br'])(
  'the memory of a body in the encoding %s is released when its client disconnects',
  async (encoding) => {
    const socket = await begin('alice', `Content-Length: ${mebibyte}\r\nContent-Encoding: ${encoding}`);
    socket.write(gzipSync('{"title":"x"}').subarray(0, 12));
    await expect.poll(bufferedBytes).toBeGreaterThan(0);

    socket.destroy();

    await expect.poll(bufferedBytes).toBe(0);
  },
);

it('a client that keeps its side of the connection open after a 408 holds no memory', async () => {
  const hasty = await startTestServer({ changes: { listener: { requestTimeoutMs: 1000 } } });
  const socket = await begin('alice', 'Content-Length: 1000', '{"title":', hasty);
  const answer = once(socket, 'data') as Promise<[Buffer]>;
  await expect.poll(() => metricOf(hasty, 'http_buffered_bytes')).toBeGreaterThan(0);

  await once(socket, 'end');

  expect(String((await answer)[0])).toMatch(/^HTTP\/1\.1 408 /);
  await expect.poll(() => metricOf(hasty, 'http_buffered_bytes')).toBe(0);
});

it('a body in many tiny chunks counts for more than its bytes', async () => {
  const socket = await begin('alice', 'Transfer-Encoding: chunked', '1\r\n \r\n'.repeat(20_000));

  const [response] = (await once(socket, 'data')) as [Buffer];

  expect(String(response)).toMatch(/^HTTP\/1\.1 503 /);
});

describe('while callers send large bodies slowly, a request', () => {
  spec('createTask', 503, 'is refused when bodies of its caller fill a quarter of the memory', async () => {
    await beginMillion('alice');
    await beginMillion('alice');

    const { body, headers } = await alice.fails('createTask', 503, {
      body: { title: 'x', description: 'x'.repeat(200_000) },
    });

    expect(body.code).toBe('Overloaded');
    expect(headers.get('Retry-After')).toBe('1');
    const call = { name: 'list_tasks', arguments: { q: 'x'.repeat(200_000) } };
    expect((await sendMessage(server, await server.token('alice'), 'tools/call', call)).status).toBe(503);
    const small = gzipSync(`{"title":"x"}${' '.repeat(200_000)}`);
    const socket = await begin('alice', `Content-Encoding: gzip\r\nContent-Length: ${small.length}`, small);
    expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1\.1 503 /);
  });

  spec('createTask', 201, 'works for other callers, and again after those bodies have gone', async () => {
    await beginMillion('alice');
    await beginMillion('alice');

    await (await server.as('bob')).ok('createTask', { body: { title: 'x' } });
    for (const socket of sockets) socket.destroy();
    await expect.poll(bufferedBytes).toBe(0);

    await alice.ok('createTask', { body: { title: 'x' } });
  });

  spec('createTask', 503, 'is refused for every caller when bodies fill the memory', async () => {
    for (const user of ['one', 'two', 'three', 'four']) {
      await beginMillion(user);
      await beginMillion(user);
    }

    const body = { title: 'x', description: 'x'.repeat(500_000) };
    await (await server.as('bob')).fails('createTask', 503, { body });
  });

  spec('createTask', 201, 'works when nothing but their heads has arrived', async () => {
    for (let n = 0; n < 32; n += 1) await begin('alice', 'Transfer-Encoding: chunked');
    for (let n = 0; n < 32; n += 1) await begin('alice', `Content-Length: ${mebibyte}`);

    await alice.ok('createTask', { body: { title: 'x' } });
  });
});

it('a caller of tools who leaves a quarter of the memory unread is refused, and others are not', async () => {
  // A response repeats the id of its request, so a long id makes the response as long as the request.
  const creation = { name: 'create_task', arguments: { title: 'x' } };
  const body = message('tools/call', creation).replace('"id":1', `"id":"${'x'.repeat(900_000)}"`);
  const headers = [
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    'MCP-Protocol-Version: 2026-07-28',
    'Mcp-Method: tools/call',
    'Mcp-Name: create_task',
    `Content-Length: ${body.length}`,
  ];
  const request = (await headOf('POST /mcp', 'alice', headers.join('\r\n'))) + body;
  const large = { name: 'list_tasks', arguments: { q: 'x'.repeat(900_000) } };
  const sendLarge = async (user: string): Promise<number> =>
    (await sendMessage(server, await tokenFor(user), 'tools/call', large)).status;
  for (let status = 200; status === 200; status = await sendLarge('alice')) {
    const before = await bufferedBytes();
    const socket = await open();
    // Sends several, because the operating system takes the first responses. Does not wait until they are sent, because
    // the server stops reading a connection whose responses are not read.
    for (let sent = 0; sent < 16 && (await bufferedBytes()) <= before; sent += 1) socket.write(request);
  }

  expect(await bufferedBytes()).toBeGreaterThan(4 * mebibyte - 3 * body.length);
  expect(await sendLarge('alice')).toBe(503);
  expect(await sendLarge('bob')).toBe(200);
});

it('a request that waits for its run keeps nothing of its body', async () => {
  const waiters = 20;
  const model = await startModelServer();
  model.respondWith(() => undefined);
  const waited = await startTestServer({ env: { ...noLimits, ...modelEnv(model) } });
  const { id } = await createAgent(await waited.as('alice'), { runtime: 'local' });
  const clients = new AbortController();
  const headers = { Authorization: `Bearer ${await tokenFor('alice')}`, Prefer: 'wait=600' };
  // The field `other`, which is unknown and so ignored, makes the body large.
  const body = Buffer.from(JSON.stringify({ input: 'Hi', other: 'x'.repeat(0.9 * mebibyte) }));
  const before = await keptMemory();

  const request = { method: 'POST', headers, body, signal: clients.signal };
  const waiting = Array.from({ length: waiters }, () => fetch(`${waited.url}/v1/agents/${id}/run`, request));
  await expect.poll(() => metricOf(waited, 'long_requests')).toBe(waiters);
  const kept = await keptMemory();
  clients.abort();
  await Promise.allSettled(waiting);

  expect(kept.heapUsed - before.heapUsed).toBeLessThan((waiters * mebibyte) / 3);
});
