import { connect } from 'node:net';

export interface RawResponse {
  readonly status: number;
  readonly hasRetryAfter: boolean;
  readonly ms: number;
}

/**
 * A persistent connection for one request at a time. It is a raw socket that parses only the heads of responses, so that
 * sending the load takes less processor time than the server takes.
 */
export interface Connection {
  /** Resolves to the response, which has status 0 if the connection breaks. */
  send(request: string): Promise<RawResponse>;
  close(): void;
}

export function openConnection(url: string): Connection {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  let received = '';
  /** The head of a response whose body is incomplete, and the missing bytes of the body, if it has a length. */
  let head: string | undefined;
  let left: number | undefined;
  let pending: { resolve: (response: RawResponse) => void; startMs: number } | undefined;
  const settle = (status: number, hasRetryAfter: boolean): void => {
    const { resolve, startMs } = pending ?? {};
    pending = undefined;
    [received, head] = ['', undefined];
    resolve?.({ status, hasRetryAfter, ms: performance.now() - (startMs ?? 0) });
  };
  socket.on('data', (chunk) => {
    let bytes = chunk.length;
    if (head === undefined || left === undefined) received += chunk.toString('latin1');
    if (head === undefined) {
      const headEnd = received.indexOf('\r\n\r\n');
      if (headEnd === -1) return;
      head = received.slice(0, headEnd);
      received = received.slice(headEnd + 4);
      bytes = received.length;
      const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
      left = /^transfer-encoding: chunked/im.test(head) ? undefined : length;
    }
    if (left === undefined) {
      received = received.slice(-5);
      if (received !== '0\r\n\r\n') return;
    } else {
      left -= bytes;
      if (left > 0) return;
    }
    settle(Number(head.slice(9, 12)), /^retry-after: \d/im.test(head));
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    settle(0, false);
  });
  return {
    send: (request) =>
      new Promise((resolve) => {
        pending = { resolve, startMs: performance.now() };
        if (socket.destroyed) settle(0, false);
        else socket.write(request, 'latin1');
      }),
    close: () => {
      socket.destroy();
    },
  };
}

/** A request as text in which each character stands for one byte. */
export function requestText(
  method: string,
  path: string,
  token: string,
  body?: unknown,
  headers: readonly string[] = [],
): string {
  const bytes = body === undefined || Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  const head = [`${method} ${path} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${token}`, ...headers];
  if (bytes === undefined) return `${head.join('\r\n')}\r\n\r\n`;
  const bodyHeaders = ['Content-Type: application/json', `Content-Length: ${bytes.length}`];
  return `${[...head, ...bodyHeaders].join('\r\n')}\r\n\r\n${bytes.toString('latin1')}`;
}
