import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { metricOf } from '../../support/metrics.ts';
import { startTestServer } from '../../support/server.ts';
import { tokenFor } from '../../support/tokens.ts';

it('a client that keeps its side of the connection open after a 408 holds no memory of the server', async () => {
  const server = await startTestServer({ changes: { listener: { requestTimeoutMs: 1000 } } });
  const { hostname, port } = new URL(server.url);
  const receivingBytes = (): Promise<number> => metricOf(server, 'http_buffered_bytes');
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const ended = once(socket, 'end');
  const authorization = `Authorization: Bearer ${await tokenFor('alice')}`;

  socket.write(
    `POST /api/tasks HTTP/1.1\r\nHost: x\r\n${authorization}\r\nContent-Length: 1000\r\n\r\n{"title":`,
  );
  await expect.poll(receivingBytes).toBeGreaterThan(0);
  await ended;

  expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 408 /);
  await expect.poll(receivingBytes).toBe(0);
  socket.destroy();
});
