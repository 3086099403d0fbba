import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { listen } from '../../../server/src/http/listener.ts';

const address = { host: '127.0.0.1', port: 0, reusePort: false };

/** Connects while the server's thread is blocked, and prints the outcome of its request. */
const client = `
  const { connect } = require('node:net');
  const { parentPort, workerData: { port, flags } } = require('node:worker_threads');
  parentPort.once('message', () => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write('GET / HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n', () => {
        Atomics.store(flags, 0, 1);
        Atomics.notify(flags, 0);
      });
    });
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk));
    socket.on('error', (error) => parentPort.postMessage(error.code));
    socket.on('end', () => parentPort.postMessage(answer.split('\\r\\n')[0]));
  });
  parentPort.postMessage('ready');
`;

it('close answers who was connected by the system, though not yet by Node, when listening ends', async () => {
  const options = { ...address, requestTimeoutMs: 5000, shutdownDelayMs: 100, shutdownTimeoutMs: 400 };
  const answer = (_request: IncomingMessage, response: ServerResponse): Promise<void> =>
    Promise.resolve(void response.end());
  const listener = await listen(answer, options);
  const flags = new Int32Array(new SharedArrayBuffer(4));
  const workerData = { port: Number(new URL(listener.url).port), flags };
  const worker = new Worker(client, { eval: true, workerData });
  await new Promise((resolve) => worker.once('message', resolve));
  const told = new Promise((resolve) => worker.once('message', resolve));

  const closed = listener.close();
  worker.postMessage('connect');
  Atomics.wait(flags, 0, 0);
  const untilMs = performance.now() + options.shutdownTimeoutMs / 2;
  while (performance.now() < untilMs);

  expect(await told).toBe('HTTP/1.1 200 OK');
  await closed;
  await worker.terminate();
});

it('close waits until a client has read a response that has been written', async () => {
  const options = { ...address, requestTimeoutMs: 30_000, shutdownDelayMs: 0, shutdownTimeoutMs: 20_000 };
  const body = Buffer.alloc(20 * 2 ** 20, 'x');
  const listener = await listen((_request, response) => Promise.resolve(void response.end(body)), options);
  const response = await fetch(listener.url);

  const closed = listener.close();
  await setTimeout(500);

  expect((await response.arrayBuffer()).byteLength).toBe(body.length);
  await closed;
});
