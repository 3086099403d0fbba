import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { ListenerConfig } from '../config/config.ts';
import { StartupError } from '../lib/startup-error.ts';

export interface Listener {
  /** The address with the actual port, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /**
   * Accepts requests during the shutdown delay, closes the port, answers the requests in flight, and closes what is
   * left at the shutdown timeout.
   */
  close(): Promise<void>;
}

// Longer than load balancers keep idle connections (at most 600 s), so that they do not send a request on one that is
// being closed.
const keepAliveMs = 620_000;
// A full accept queue drops connections. Their clients retry only after one second, then after three.
const backlog = 4096;
const closingIdleMs = 50;

/** Listens for HTTP. */
export async function listen(
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  options: ListenerConfig,
): Promise<Listener> {
  const { requestTimeoutMs } = options;
  const server = createServer(
    {
      requestTimeout: requestTimeoutMs,
      headersTimeout: Math.min(requestTimeoutMs, 10_000),
      keepAliveTimeout: keepAliveMs,
      connectionsCheckingInterval: 1000,
      // `checkHead` refuses instead, with problem details.
      requireHostHeader: false,
    },
    (request, response) => {
      // A stream has eleven listeners for its end, six of them from Node. Node warns above ten.
      response.setMaxListeners(20);
      response.on('timeout', cutOffSlowReader);
      void answer(request, response);
    },
  );
  server.timeout = requestTimeoutMs;
  // A client may close its side of the connection after its request, and still read the response. Node's types lack
  // this property.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('clientError', refuse);
  await bind(server, options);
  return { url: urlOf(server, options.host), close: () => close(server, options) };
}

interface ParseError extends NodeJS.ErrnoException {
  /** The bytes that could not be parsed. */
  readonly rawPacket?: Buffer;
}

/**
 * Refuses what Node cannot parse, and requests that arrive too slowly. The answers are Node's own, except for transfer
 * codings, which it does not tell from other errors (RFC 9112, section 6.1).
 */
function refuse(error: ParseError, socket: Duplex): void {
  const { code = '', rawPacket } = error;
  // Node has one error for an unknown coding and for a length next to the chunks.
  const hasLength = code === transferCoding && /^content-length:/im.test(rawPacket?.toString('latin1') ?? '');
  const status = (hasLength ? undefined : refusals[code]) ?? '400 Bad Request';
  if (socket.writable) socket.write(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
  socket.destroy(error);
}

const transferCoding = 'HPE_INVALID_TRANSFER_ENCODING';

const refusals: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  [transferCoding]: '501 Not Implemented',
};

/**
 * Closes a connection that has taken no byte of a response for the request timeout, to free the memory of the response.
 * A stream without anything to send stays open.
 */
function cutOffSlowReader(socket: Socket): void {
  if (socket.writableLength > 0) socket.destroy();
}

function bind(server: Server, options: ListenerConfig): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => {
      reject(listenError(error, options));
    };
    const { port, host, reusePort } = options;
    server.once('error', fail).listen({ port, host, reusePort, backlog }, resolve);
  });
}

function listenError(error: Error, { host, port }: ListenerConfig): Error {
  const unknownHost = `HOST ${host} is neither an address nor a name that this machine can resolve.`;
  const sentences: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} is already in use. Set PORT to a free one.`,
    EADDRNOTAVAIL: `HOST ${host} is not an address of this machine.`,
    ENOTSUP: 'This system does not let several processes listen on the same port. Set REUSE_PORT=false.',
    EACCES: `This user may not listen on port ${port}. Set PORT to a port above 1023.`,
    ENOTFOUND: unknownHost,
    EAI_AGAIN: unknownHost,
  };
  const sentence = sentences['code' in error ? String(error.code) : ''];
  const other = `The server cannot listen at HOST ${host} and PORT ${port}: ${error.message}.`;
  return new StartupError(sentence ?? other, { cause: error });
}

function urlOf(server: Server, host: string): string {
  // A server that listens on a host and port has an `AddressInfo`.
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Ends a server without losing a response that a client is waiting for. */
async function close(
  server: Server,
  { shutdownDelayMs, shutdownTimeoutMs }: Pick<ListenerConfig, 'shutdownDelayMs' | 'shutdownTimeoutMs'>,
): Promise<void> {
  await pause(shutdownDelayMs);
  const timeout = setTimeout(() => {
    server.closeAllConnections();
  }, shutdownTimeoutMs);
  // A connection becomes idle after its last response.
  const closeIdle = setInterval(() => {
    server.closeIdleConnections();
  }, closingIdleMs);
  await promisify(server.close.bind(server))();
  clearTimeout(timeout);
  clearInterval(closeIdle);
}
