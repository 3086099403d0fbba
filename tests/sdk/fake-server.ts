import type { IncomingMessage, ServerResponse } from 'node:http';
import { createClient, type Client, type ClientOptions, type ErrorCode } from '../../sdk/src/index.ts';
import { startHttpServer } from '../support/http-server.ts';

interface RecordedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Responds to one request. */
export type Responder = (response: ServerResponse, request: RecordedRequest) => void;

export interface FakeServer {
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  /** Creates a client of this server. */
  client(options?: Partial<ClientOptions>): Client;
}

/**
 * Starts a server that answers each request with the next responder, and repeats the last one. It stops after the test.
 */
export async function startFakeServer(...responders: readonly Responder[]): Promise<FakeServer> {
  const requests: RecordedRequest[] = [];
  const { url } = await startHttpServer((message, response) => {
    let body = '';
    message.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    message.on('end', () => {
      const { method = '', url = '', headers } = message;
      const request = { method, url, headers, body };
      requests.push(request);
      responders[Math.min(requests.length, responders.length) - 1]?.(response, request);
    });
  });
  return {
    url,
    requests,
    client: (options) => createClient({ baseUrl: url, token: 'secret-token', ...options }),
  };
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Responder {
  return (response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', 'X-Request-Id': 'r-1', ...headers });
    response.end(JSON.stringify(body));
  };
}

export function problem(status: number, code: ErrorCode, headers: Record<string, string> = {}): Responder {
  const body = {
    type: 'about:blank',
    title: 'T',
    status,
    detail: 'D.',
    code,
    error: code,
    request_id: 'r-1',
  };
  return json(status, body, { ...headers, 'Content-Type': 'application/problem+json' });
}

/** Never responds. */
export const hang: Responder = () => undefined;
/** Closes the connection without a response. */
export const disconnect: Responder = (response) => response.socket?.destroy();

/** A server-sent event as text. */
export function sseEvent(event: string, data: unknown, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** A fetch that ignores its signal. */
export function fetchIgnoringSignals(request: Request): Promise<Response> {
  return fetch(new Request(request, { signal: null }));
}

/** A fetch that breaks the first event stream after `eventsMax` events, and refuses the second with 503. */
export function fetchBreakingStreams(eventsMax: number): (request: Request) => Promise<Response> {
  let streams = 0;
  return async (request) => {
    if (!request.headers.get('Accept')?.includes('text/event-stream') || ++streams > 2) return fetch(request);
    if (streams === 2) return new Response('', { status: 503, headers: { 'Retry-After': '0' } });
    const response = await fetch(request);
    let events = 0;
    const breakStream = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        for (const event of Buffer.from(chunk).toString().split('\n\n').slice(0, -1)) {
          if (events === eventsMax) controller.error(new TypeError('terminated'));
          else controller.enqueue(Buffer.from(`${event}\n\n`));
          events += 1;
        }
      },
    });
    return new Response(response.body?.pipeThrough(breakStream) ?? null, response);
  };
}

/** Sends the chunks of an event stream. Then ends the response, closes the connection or does nothing. */
export function sseStream(
  chunks: readonly (string | Buffer)[],
  then: 'end' | 'disconnect' | 'hang' = 'end',
): Responder {
  return (response) => void writeChunks(response, chunks, then);
}

async function writeChunks(
  response: ServerResponse,
  chunks: readonly (string | Buffer)[],
  then: 'end' | 'disconnect' | 'hang',
): Promise<void> {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
  for (const chunk of chunks) {
    response.write(chunk);
    // The delay makes each chunk arrive separately.
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  if (then === 'end') response.end();
  if (then === 'disconnect') response.socket?.destroy();
}

export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}
