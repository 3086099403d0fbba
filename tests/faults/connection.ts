import { connect } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly ms: number;
}

/** A connection that is kept, with one request at a time; a bare one, so that sending costs less than answering. */
export interface Connection {
  /** Resolves with the status 0 when the connection breaks. */
  send(request: string): Promise<RawAnswer>;
  close(): void;
}

export function openConnection(url: string): Connection {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  let received = Buffer.alloc(0);
  let waiting: { settle: (answer: RawAnswer) => void; startMs: number } | undefined;
  const answer = (status: number, head: string): void => {
    const { settle, startMs } = waiting ?? {};
    waiting = undefined;
    received = Buffer.alloc(0);
    settle?.({ status, head, ms: performance.now() - (startMs ?? 0) });
  };
  socket.on('data', (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const headEnd = received.indexOf('\r\n\r\n');
    if (headEnd === -1) return;
    const head = received.toString('latin1', 0, headEnd);
    const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
    if (received.length >= headEnd + 4 + length) answer(Number(head.slice(9, 12)), head);
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    answer(0, '');
  });
  return {
    send: (request) =>
      new Promise((settle) => {
        waiting = { settle, startMs: performance.now() };
        if (socket.destroyed) answer(0, '');
        else socket.write(request);
      }),
    close: () => {
      socket.destroy();
    },
  };
}

/** The text of a request. */
export function requestText(method: string, path: string, token: string, body?: unknown): string {
  const json = body === undefined ? undefined : JSON.stringify(body);
  const head = [`${method} ${path} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${token}`];
  if (json === undefined) return `${head.join('\r\n')}\r\n\r\n`;
  const about = ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(json)}`];
  return `${[...head, ...about].join('\r\n')}\r\n\r\n${json}`;
}
