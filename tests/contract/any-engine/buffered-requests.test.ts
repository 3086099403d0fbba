import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../support/client.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';
import { tokenFor } from '../../support/tokens.ts';

const mebibyte = 2 ** 20;

let server: TestServer;
let alice: Client;
let sockets: Socket[] = [];

beforeAll(async () => {
  server = await startTestServer({ env: { MAX_BUFFERED_REQUEST_BYTES: String(8 * mebibyte) } });
  alice = await server.as('alice');
});

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  await expect.poll(receivingBytes).toBe(0);
});

/** Sends the head of a request that creates a task, and resolves to the connection. */
async function begin(user: string, lengthHeader: string): Promise<Socket> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect');
  const authorization = `Authorization: Bearer ${await tokenFor(user)}`;
  socket.write(`POST /api/tasks HTTP/1.1\r\nHost: x\r\n${authorization}\r\n${lengthHeader}\r\n\r\n`);
  return socket;
}

async function receivingBytes(): Promise<number> {
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  return Number(/^http_request_buffered_bytes (\d+)$/m.exec(metrics)?.[1]);
}

/** The bytes of all reachable buffers. */
async function keptBytes(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  collectGarbage();
  // Buffers are freed after the garbage collection that finds them.
  await setTimeout(10);
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

it('a chunked body above 1 MiB is not kept in memory while the rest of it is discarded', async () => {
  const socket = await begin('alice', 'Transfer-Encoding: chunked');
  const chunk = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(mebibyte, ' '), Buffer.from('\r\n')]);
  const refused = once(socket, 'data') as Promise<[Buffer]>;
  const before = await keptBytes();

  for (let sent = 0; sent < 64; sent += 1) {
    if (!socket.write(chunk)) await once(socket, 'drain');
  }

  expect((await keptBytes()) - before).toBeLessThan(16 * mebibyte);
  expect(String((await refused)[0])).toMatch(/^HTTP\/1\.1 413 /);
});

it.each(['identity', 'gzip', 'deflate', 'br'])(
  'the memory of a body in the encoding %s is released when its client disconnects',
  async (encoding) => {
    const socket = await begin('alice', `Content-Length: ${mebibyte}\r\nContent-Encoding: ${encoding}`);
    socket.write(gzipSync('{"title":"x"}').subarray(0, 12));
    await expect.poll(receivingBytes).toBe(2 * mebibyte);

    socket.destroy();

    await expect.poll(receivingBytes).toBe(0);
  },
);

describe('while a caller sends large bodies slowly, a request', () => {
  spec(
    'createTask',
    503,
    'is refused for that caller above a quarter of MAX_BUFFERED_REQUEST_BYTES',
    async () => {
      await begin('alice', `Content-Length: ${mebibyte}`);
      await expect.poll(receivingBytes).toBe(2 * mebibyte);

      const { body, headers } = await alice.fails('createTask', 503, { body: { title: 'x' } });

      expect(body.code).toBe('Overloaded');
      expect(headers.get('Retry-After')).toBe('1');
    },
  );

  spec(
    'createTask',
    201,
    'works for other callers, and again for the caller after those bodies have gone',
    async () => {
      const socket = await begin('alice', 'Transfer-Encoding: chunked');
      await expect.poll(receivingBytes).toBe(2 * mebibyte);

      await (await server.as('bob')).ok('createTask', { body: { title: 'x' } });
      socket.destroy();
      await expect.poll(receivingBytes).toBe(0);

      await alice.ok('createTask', { body: { title: 'x' } });
    },
  );

  spec(
    'createTask',
    503,
    'is refused for every caller when bodies fill MAX_BUFFERED_REQUEST_BYTES',
    async () => {
      for (const user of ['one', 'two', 'three', 'four']) await begin(user, `Content-Length: ${mebibyte}`);
      await expect.poll(receivingBytes).toBe(8 * mebibyte);

      await (await server.as('bob')).fails('createTask', 503, { body: { title: 'x' } });
    },
  );
});
