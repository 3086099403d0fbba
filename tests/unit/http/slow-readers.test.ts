import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { listen, type Listener } from '../../../server/src/http/listener.ts';
import { sendRaw, untilCutOff } from '../../support/raw.ts';

const requestTimeoutMs = 400;
const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
const lastRequest = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
let listener: Listener | undefined;

afterEach(() => listener?.close());

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const times = { requestTimeoutMs, shutdownDelayMs: 0, shutdownTimeoutMs: 0 };
  const options = { host: '127.0.0.1', port: 0, reusePort: false, ...times };
  listener = await listen((...exchange) => {
    answer(...exchange);
    return Promise.resolve();
  }, options);
  return listener.url;
}

async function drainsWithin(socket: Socket, ms: number): Promise<boolean> {
  // A connection whose next head has not been read in time is closed.
  const drained = once(socket, 'drain').then(
    () => true,
    () => false,
  );
  return Promise.race([drained, setTimeout(ms, false)]);
}

describe('a stream', () => {
  it('is cut off when its client reads nothing of it for the request timeout', async () => {
    const page = Buffer.alloc(65_536, ' ');
    const endless = new Readable({
      read() {
        this.push(page);
      },
    });
    const ended = once(endless, 'close');
    const url = await serve(
      (_request, response) => void endless.pipe(response).on('close', () => endless.destroy()),
    );

    await untilCutOff(url, request);

    await ended;
  });

  it('lasts as long as its client reads, and while there is nothing to send', async () => {
    const url = await serve((_request, response) => {
      response.write('begin');
      void setTimeout(4 * requestTimeoutMs).then(() => response.end(' end'));
    });

    const response = await fetch(url);

    expect(await response.text()).toBe('begin end');
  });
});

describe('a connection with more requests than are answered at a time', () => {
  it('gets 32 responses, and 503 for the others', async () => {
    let begun = 0;
    const url = await serve((_request, response) => {
      begun += 1;
      void setTimeout(50).then(() => response.end());
    });

    const responses = await sendRaw(url, request.repeat(99) + lastRequest);

    expect(begun).toBe(32);
    expect(responses.match(/HTTP\/1\.1 [^\r]*/g)).toEqual([
      ...Array.from({ length: 32 }, () => 'HTTP/1.1 200 OK'),
      ...Array.from({ length: 68 }, () => 'HTTP/1.1 503 Service Unavailable'),
    ]);
    expect(responses).toMatch(/^Retry-After: 1\r$/m);
  });

  it('is not read further while its first request is unanswered', async () => {
    let sent = 0;
    const url = await serve(() => undefined);
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname).on('error', () => undefined);

    for (let isRead = true; isRead && sent < 200; sent += 1) {
      isRead = socket.write(request.repeat(10_000)) || (await drainsWithin(socket, 1000));
    }

    // Each write has 370 kB, and the system buffers some megabytes.
    expect(sent).toBeLessThan(100);
    socket.destroy();
  });

  it('is not limited in how many it sends one after the other', async () => {
    let begun = 0;
    const url = await serve((_request, response) => {
      begun += 1;
      response.end();
    });

    for (let n = 0; n < 100; n += 1) await (await fetch(url)).text();

    expect(begun).toBe(100);
  });
});
