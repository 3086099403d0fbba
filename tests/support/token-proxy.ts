import { createServer, request as sendRequest } from 'node:http';
import { listen } from './listen.ts';

export interface Proxy {
  readonly url: string;
  close(): void;
}

/** Starts a proxy to a server that adds a token to every request, for programs that send none. */
export async function startTokenProxy(url: string, token: string): Promise<Proxy> {
  const { hostname, port } = new URL(url);
  const proxy = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` };
    // Taken as a path, not resolved as a URL: the target could name another host, which would then get the token.
    const options = { hostname, port, method: incoming.method ?? 'GET', path: incoming.url ?? '/', headers };
    const forwarded = sendRequest(options, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    outgoing.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  return {
    url: `http://127.0.0.1:${await listen(proxy)}`,
    close: () => {
      proxy.close();
      proxy.closeAllConnections();
    },
  };
}
