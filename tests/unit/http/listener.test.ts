import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
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

async function serve(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  times = { requestTimeoutMs, shutdownTimeoutMs: 0 },
): Promise<Listener> {
  const options = { ...address, ...times, shutdownDelayMs: 0 };
  listener = await listen((...exchange) => {
    answer(...exchange);
    return Promise.resolve();
  }, options);
  return listener;
}

it('a stream lasts as long as its client reads, and while there is nothing to send', async () => {
  const { url } = await serve((_request, response) => {
    response.write('begin');
    void setTimeout(4 * requestTimeoutMs).then(() => response.end(' end'));
  });

  const response = await fetch(url);

  expect(await response.text()).toBe('begin end');
});

it('a connection that sends several requests at once has them answered one after the other', async () => {
  const events: string[] = [];
  const { url } = await serve((_request, response) => {
    events.push('begin');
    void setTimeout(20).then(() => {
      events.push('end');
      response.end();
    });
  });

  await sendRaw(url, request.repeat(2) + lastRequest);

  expect(events).toEqual(['begin', 'end', 'begin', 'end', 'begin', 'end']);
});

describe('a connection with more requests than are answered at a time', () => {
  it('gets all responses, however many requests with bodies it sends at once', async () => {
    const { url } = await serve((_request, response) => setImmediate(() => response.end()));
    const responses = await sendRaw(url, (request.repeat(99) + post.repeat(3)).repeat(3) + lastRequest);

    expect(responses.match(/(?<=HTTP\/1\.1 )\d+/g)).toEqual(Array.from({ length: 307 }, () => '200'));
  });

  it.each([
    ['\x01', 'bytes that are not HTTP'],
    ['POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', 'a body that cannot be read'],
    ['POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n', 'a body that is not sent in time'],
  ])(
    'gets the response to its first request, and then the end, after %j, which is %s',
    async (unreadable) => {
      const { url } = await serve((_request, response) => void setTimeout(2000).then(() => response.end()));

      const responses = await sendRaw(url, request + unreadable);

      expect(responses.match(/(?<=HTTP\/1\.1 )\d+/g)).toEqual(['200']);
    },
  );

  it('is not read further while a request waits for an earlier one', async () => {
    let [received, answered, waitingMax] = [0, 0, 0];
    const count = (): void => {
      received += 1;
      waitingMax = Math.max(waitingMax, received - answered);
    };
    subscribe('http.server.request.start', count);
    const { url } = await serve(
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
    await expect.poll(() => answered).toBeGreaterThan(300);

    expect(waitingMax).toBeGreaterThan(99);
    expect(waitingMax).toBeLessThan(200);
    unsubscribe('http.server.request.start', count);
    socket.destroy();
  });

  it('lets others be served between two of its requests', async () => {
    let answered = 0;
    let answeredAtOnce: number | undefined;
    const { url } = await serve((_request, response) => {
      setImmediate(() => (answeredAtOnce ??= answered));
      answered += 1;
      response.end();
    });

    await sendRaw(url, request.repeat(100) + lastRequest);

    expect([answeredAtOnce, answered]).toEqual([1, 101]);
  });
});

it('close waits until a client has read a response that has been written', async () => {
  const body = Buffer.alloc(20 * 2 ** 20, 'x');
  const times = { requestTimeoutMs: 30_000, shutdownTimeoutMs: 20_000 };
  const closing = await serve((_request, response) => response.end(body), times);
  const response = await fetch(closing.url);

  const closed = closing.close();
  await setTimeout(500);

  expect((await response.arrayBuffer()).byteLength).toBe(body.length);
  await closed;
});
