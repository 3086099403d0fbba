import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { listen, type Listener } from '../../../server/src/http/listener.ts';
import { untilCutOff } from '../../support/raw.ts';

const requestTimeoutMs = 400;
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

    await untilCutOff(url, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n');

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
