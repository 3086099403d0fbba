import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { listen, type Listener } from '../../../server/src/http/listener.ts';
import { sendRaw } from '../../support/raw.ts';

const address = { host: '127.0.0.1', port: 0, reusePort: false };
const requestTimeoutMs = 400;
const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
const post = `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 40000\r\n\r\n${'x'.repeat(40_000)}`;
const lastRequest = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
let listener: Listener | undefined;

afterEach(() => listener?.close());

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const times = { requestTimeoutMs, shutdownDelayMs: 0, shutdownTimeoutMs: 0 };
  listener = await listen(
    (...exchange) => {
      answer(...exchange);
      return Promise.resolve();
    },
    { ...address, ...times },
  );
  return listener.url;
}

it('a stream lasts as long as its client reads, and while there is nothing to send', async () => {
  const url = await serve((_request, response) => {
    response.write('begin');
    void setTimeout(4 * requestTimeoutMs).then(() => response.end(' end'));
  });

  const response = await fetch(url);

  expect(await response.text()).toBe('begin end');
});

it('a connection that sends several requests at once has them answered one after the other', async () => {
  const events: string[] = [];
  const url = await serve((_request, response) => {
    events.push('begin');
    void setTimeout(20).then(() => {
      events.push('end');
      response.end();
    });
  });

  // An unknown expectation is ignored (RFC 9110, section 10.1.1).
  const expecting = request.replace('Host', 'Expect: tea\r\nHost');
  await sendRaw(url, request + expecting + lastRequest);

  expect(events).toEqual(['begin', 'end', 'begin', 'end', 'begin', 'end']);
});

describe('a connection with more requests than are answered at a time', () => {
  it('gets all responses, however many requests with bodies it sends at once', async () => {
    const url = await serve((_request, response) => setImmediate(() => response.end()));
    const responses = await sendRaw(url, (request.repeat(99) + post.repeat(3)).repeat(3) + lastRequest);

    expect(responses.match(/(?<=HTTP\/1\.1 )\d+/g)).toEqual(Array.from({ length: 307 }, () => '200'));
  });

  it('gets the response to a long request, and then the refusal of a body that was not read in time', async () => {
    const url = await serve((_request, response) => void setTimeout(3000).then(() => response.end()));
    const large = `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 300000\r\n\r\n${'x'.repeat(300_000)}`;

    expect((await sendRaw(url, request + large)).match(/(?<=HTTP\/1\.1 )\d+/g)).toEqual(['200', '408']);
  });

  it.each(['\x01', 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'])(
    'gets the response to its first request, and then one refusal of megabytes that begin with %j',
    async (unreadable) => {
      const warnings: Error[] = [];
      process.on('warning', (warning) => warnings.push(warning));
      const url = await serve((_request, response) => void setTimeout(100).then(() => response.end()));

      const responses = await sendRaw(url, `${request}${unreadable}${'x'.repeat(5_000_000)}`);

      expect(responses.match(/(?<=HTTP\/1\.1 )\d+/g)).toEqual(['200', '400']);
      expect(warnings).toEqual([]);
    },
  );

  it('is not read further while a request waits for an earlier one', async () => {
    let [received, answered, waitingMax] = [0, 0, 0];
    const count = (): void => {
      received += 1;
      waitingMax = Math.max(waitingMax, received - answered);
    };
    subscribe('http.server.request.start', count);
    const url = await serve(
      (_request, response) =>
        void setTimeout(1).then(() => {
          response.end();
          answered += 1;
        }),
    );
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname).on('error', () => undefined);

    // Node reads 64 KiB at once.
    socket.write((request.repeat(99) + post.repeat(3)).repeat(30));
    await setTimeout(requestTimeoutMs / 2);

    expect(waitingMax).toBeGreaterThan(99);
    expect(waitingMax).toBeLessThan(200);
    unsubscribe('http.server.request.start', count);
    socket.destroy();
  });

  it('lets others be served between two of its requests', async () => {
    let answered = 0;
    let answeredAtOnce: number | undefined;
    const url = await serve((_request, response) => {
      setImmediate(() => (answeredAtOnce ??= answered));
      answered += 1;
      response.end();
    });

    await sendRaw(url, request.repeat(100) + lastRequest);

    expect([answeredAtOnce, answered]).toEqual([1, 101]);
  });
});

/** Connects while the server's thread is blocked, and posts the outcome of its request to the test. */
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
  const closing = await listen(answer, options);
  const flags = new Int32Array(new SharedArrayBuffer(4));
  const workerData = { port: Number(new URL(closing.url).port), flags };
  const worker = new Worker(client, { eval: true, workerData });
  await new Promise((resolve) => worker.once('message', resolve));
  const told = new Promise((resolve) => worker.once('message', resolve));

  const closed = closing.close();
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
  const closing = await listen((_request, response) => Promise.resolve(void response.end(body)), options);
  const response = await fetch(closing.url);

  const closed = closing.close();
  await setTimeout(500);

  expect((await response.arrayBuffer()).byteLength).toBe(body.length);
  await closed;
});
