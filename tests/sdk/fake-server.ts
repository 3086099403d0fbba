import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { createClient, type Client, type ClientOptions, type ErrorCode } from '../../sdk/src/index.ts';

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly atMs: number;
}

/** How the server answers one request. */
export type Reaction = (response: ServerResponse, request: SeenRequest) => void;

export interface FakeServer {
  readonly url: string;
  readonly requests: readonly SeenRequest[];
  /** A client of this server. */
  client(options?: Partial<ClientOptions>): Client;
}

/** A server that reacts to one request after the other; the last reaction is repeated. Ends with the test. */
export async function startFakeServer(...reactions: readonly Reaction[]): Promise<FakeServer> {
  const requests: SeenRequest[] = [];
  const server = createServer((message, response) => {
    let body = '';
    message.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    message.on('end', () => {
      const { method = '', url = '', headers } = message;
      const request = { method, url, headers, body, atMs: Date.now() };
      requests.push(request);
      reactions[Math.min(requests.length, reactions.length) - 1]?.(response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // A server that listens on a host and port has an address of that kind.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    requests,
    client: (options) => createClient({ baseUrl: url, token: 'secret-token', ...options }),
  };
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Reaction {
  return (response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', 'X-Request-Id': 'r-1', ...headers });
    response.end(JSON.stringify(body));
  };
}

export function problem(status: number, code: ErrorCode, headers: Record<string, string> = {}): Reaction {
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

export const hang: Reaction = () => undefined;
export const cut: Reaction = (response) => response.socket?.destroy();

/** An event as it goes over the wire. */
export function text(event: string, data: unknown, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** A fetch that takes no notice of signals. */
export function deafFetch(request: Request): Promise<Response> {
  return fetch(new Request(request, { signal: null }));
}

/** The pieces of an event stream; the connection is cut after them if `then` says so. */
export function stream(pieces: readonly (string | Buffer)[], then: 'end' | 'cut' | 'hang' = 'end'): Reaction {
  return (response) => void writePieces(response, pieces, then);
}

async function writePieces(
  response: ServerResponse,
  pieces: readonly (string | Buffer)[],
  then: 'end' | 'cut' | 'hang',
): Promise<void> {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
  for (const piece of pieces) {
    response.write(piece);
    // Each piece shall arrive by itself.
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  if (then === 'end') response.end();
  if (then === 'cut') response.socket?.destroy();
}

export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}
