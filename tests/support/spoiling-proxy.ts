import { createServer, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { cleanUpAfter } from './cleanup.ts';
import { listen } from './listen.ts';

interface Passing {
  readonly method: string;
  path: string;
  readonly headers: Record<string, string>;
}

interface Returning {
  status: number;
  readonly headers: Headers;
  body: Buffer;
}

/** What a proxy changes in requests or responses. */
export interface Spoil {
  readonly request?: (request: Passing) => void;
  readonly response?: (response: Returning) => void;
}

/** Starts a proxy that breaks promises of the server behind it, until the file has ended. Resolves to its URL. */
export async function startSpoilingProxy(upstream: string, spoil: Spoil): Promise<string> {
  const proxy = createServer((incoming, outgoing) => {
    const { method = 'GET', url = '/' } = incoming;
    const request = { method, path: url, headers: forwarded(incoming.headers) };
    spoil.request?.(request);
    void (async () => {
      const body = await buffer(incoming);
      const answer = await fetch(upstream + request.path, {
        method,
        headers: request.headers,
        redirect: 'manual',
        ...(body.length === 0 ? {} : { body: new Uint8Array(body) }),
      });
      const response: Returning = {
        status: answer.status,
        headers: new Headers(answer.headers),
        body: Buffer.from(await answer.arrayBuffer()),
      };
      spoil.response?.(response);
      for (const name of ['content-length', 'transfer-encoding', 'connection']) response.headers.delete(name);
      outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(response.body);
    })().catch(() => outgoing.destroy());
  });
  cleanUpAfter(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return `http://127.0.0.1:${await listen(proxy)}`;
}

function forwarded(headers: IncomingHttpHeaders): Record<string, string> {
  const hop = new Set(['connection', 'content-length', 'host', 'keep-alive', 'transfer-encoding', 'expect']);
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      hop.has(name) || value === undefined ? [] : [[name, String(value)]],
    ),
  );
}

/** Edits the JSON of a body. */
export function editJson(response: Returning, edit: (body: Record<string, unknown>) => void): void {
  const body = JSON.parse(response.body.toString()) as Record<string, unknown>;
  edit(body);
  response.body = Buffer.from(JSON.stringify(body));
}
