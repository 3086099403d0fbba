import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { v7 } from 'uuid';
import type { ListenerConfig } from '../config.ts';
import { failures } from '../errors.ts';
import type { ErrorCode } from '../operations.ts';
import { createDrain } from './drain.ts';
import { problemBody } from './failures.ts';

export interface Listener {
  /** The address with the port that was really taken, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /** Stops accepting, answers what is in flight, and cuts off what is left after the drain time. */
  close(): Promise<void>;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Listens for HTTP and answers what never becomes a request of the app: unreadable, too slow or too large heads. */
export async function listen(answer: Answer, options: ListenerConfig): Promise<Listener> {
  const drain = createDrain();
  const server = createServer({
    requestTimeout: options.requestTimeoutMs,
    headersTimeout: Math.min(options.requestTimeoutMs, 10_000),
    connectionsCheckingInterval: 1000,
  });
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    drain.admit(response, () => {
      if (isReadableTarget(request.url)) void answer(request, response);
      else refuse(response, 'Bad Request');
    });
  };
  server.on('request', onRequest);
  // `readBody` invites the body once the request is known to be allowed.
  server.on('checkContinue', onRequest);
  server.on('checkExpectation', (_request, response) => {
    refuse(response, 'Expectation failed');
  });
  server.on('clientError', refuseSocket);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port, options.host, resolve);
  });
  return {
    url: urlOf(server, options.host),
    close: () => drain.close(server, options.drainMs),
  };
}

/** The target of a request is a path, or an address that can be parsed (RFC 9112, section 3.2). */
function isReadableTarget(target = ''): boolean {
  return target.startsWith('/') || target === '*' || URL.canParse(target);
}

function refuse(response: ServerResponse, code: ErrorCode): void {
  const requestId = v7();
  response.writeHead(failures[code][0], headersOf(requestId));
  response.end(problemBody(code, requestId));
}

/** Node found the request unreadable before there was anything to answer with but the socket. */
function refuseSocket(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const code = socketCodes[error.code ?? ''] ?? 'Bad Request';
  const requestId = v7();
  const [status] = failures[code];
  const head = Object.entries(headersOf(requestId)).map(([name, value]) => `${name}: ${value}`);
  socket.end(
    [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...head, '', problemBody(code, requestId)].join(
      '\r\n',
    ),
  );
}

const socketCodes: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'Headers too large',
  ERR_HTTP_REQUEST_TIMEOUT: 'Request timeout',
};

function headersOf(requestId: string): Record<string, string> {
  return { 'X-Request-Id': requestId, 'Content-Type': 'application/problem+json', Connection: 'close' };
}

function urlOf(server: Server, host: string): string {
  // A server that listens on a host and port has an address of that kind.
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
