import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Server as NetServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
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

type RequestHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

// Longer than load balancers keep idle connections by default (600 s), so that they do not send a request on a
// connection that is being closed.
const keepAliveMs = 620_000;

/** Listens for HTTP. */
export async function listen(answer: RequestHandler, options: ListenerConfig): Promise<Listener> {
  const { requestTimeoutMs } = options;
  const server = createServer({
    requestTimeout: requestTimeoutMs,
    headersTimeout: Math.min(requestTimeoutMs, 10_000),
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: 1000,
    // `checkHead` requires the Host header instead, because it answers with problem details.
    requireHostHeader: false,
  });
  const requests = new RequestsInFlight(answer);
  // A client may close its side of the connection after its request, and still read the response. Node's types lack
  // this property.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('request', requests.begin);
  // `receiveBody` sends 100 Continue when the request is known to be allowed.
  server.on('checkContinue', requests.begin);
  server.on('connection', requests.watch);
  server.on('clientError', requests.refuse);
  server.setTimeout(requestTimeoutMs, requests.closeIfUnread);
  await bind(server, options);
  return { url: urlOf(server, options.host), close: () => close(server, requests, options) };
}

type Address = Pick<ListenerConfig, 'host' | 'port' | 'reusePort'>;

/** Throws a StartupError if a server could not listen. Does not try a port that running servers may share. */
export async function assertCanListen(address: Address): Promise<void> {
  // The operating system would give this temporary server some of the connections of clients.
  if (address.reusePort) return;
  const server = new NetServer();
  await bind(server, address);
  await once(server.close(), 'close');
}

// A full accept queue drops connections, and their clients retry only after one second, then after three.
const backlog = 4096;

async function bind(server: NetServer, { host, port, reusePort }: Address): Promise<void> {
  server.listen({ host, port, reusePort, backlog });
  await once(server, 'listening').catch((cause: unknown) => {
    const sentence = 'The server cannot listen. Check HOST and PORT. Node reports';
    throw new StartupError(`${sentence}: ${String(cause)}`, { cause });
  });
}

/** The requests whose responses the operating system has not taken. */
class RequestsInFlight {
  readonly #answer: RequestHandler;
  readonly #byConnection = new Map<Socket, ServerResponse[]>();

  constructor(answer: RequestHandler) {
    this.#answer = answer;
  }

  get isEmpty(): boolean {
    return this.#byConnection.size === 0;
  }

  /** Keeps a connection paused while a request waits. Node resumes it after each request, and to read a body. */
  readonly watch = (socket: Socket): void => {
    socket.on('resume', () => {
      // Node stops reading at the event `pause`. `pause()` does not emit it if called between `resume()` and this event.
      if ((this.#byConnection.get(socket)?.length ?? 0) > 1) socket.pause().emit('pause');
    });
  };

  /**
   * Answers a request when the earlier ones on its connection have been answered, because it may need their effects (RFC
   * 9112, section 9.3.2). Until then, the connection is not read further, because waiting requests stay in memory. Does
   * nothing if an earlier response, such as the refusal of a head, has closed the connection.
   */
  readonly begin = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    const unanswered = this.#byConnection.get(socket) ?? [];
    const previous = unanswered.at(-1);
    unanswered.push(response);
    this.#byConnection.set(socket, unanswered);
    response.once('close', () => {
      // Responses of one connection close in the order of their requests.
      unanswered.shift();
      if (unanswered.length === 0) this.#byConnection.delete(socket);
      if (unanswered.length === 1) socket.resume();
    });
    // The response of an event stream has eleven listeners for its end, six of them Node's. Node warns above ten.
    response.setMaxListeners(20);
    const start = (): void => {
      if (socket.writable) void this.#answer(request, response);
    };
    if (previous === undefined) {
      start();
      return;
    }
    socket.pause();
    // In a later iteration of the event loop, so that other connections are served between the requests of this one.
    previous.once('close', () => setImmediate(start));
  };

  /** Ends a connection whose client sends bytes that are not HTTP, or sends a request too slowly. */
  readonly refuse = (error: ParseError, socket: Socket): void => {
    const unanswered = this.#byConnection.get(socket) ?? [];
    const complete = unanswered.findLast(({ req }) => req.complete);
    if (complete !== undefined) {
      // The client is waiting for this response, and would take the refusal for it.
      complete.shouldKeepAlive = false;
      return;
    }
    if (socket.writable) socket.write(refusalOf(error));
    socket.destroy();
  };

  /**
   * Closes a connection that is idle, or whose client reads nothing of a response for one or two timeouts, to free the
   * memory of the response. A stream without anything to send stays open.
   */
  readonly closeIfUnread = (socket: Socket): void => {
    if (socket.writableLength > 0 || !this.#byConnection.has(socket)) socket.destroy();
  };
}

/** `rawPacket` has the bytes that could not be parsed. */
type ParseError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer };

/** Node's refusals of unreadable and slow requests, but 501 for unknown transfer codings (RFC 9112, section 6.1). */
function refusalOf({ code = '', rawPacket }: ParseError): string {
  // Node has one error for two cases: an unknown coding, and chunks with a Content-Length.
  const hasLength = code === transferCoding && /^content-length:/im.test(rawPacket?.toString('latin1') ?? '');
  const status = (hasLength ? undefined : refusals[code]) ?? '400 Bad Request';
  return `HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`;
}

const transferCoding = 'HPE_INVALID_TRANSFER_ENCODING';

const refusals: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  [transferCoding]: '501 Not Implemented',
};

function urlOf(server: Server, host: string): string {
  // A server that listens on a host and port has an `AddressInfo`.
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

const checkMs = 50;

/** Ends a server. Until the shutdown timeout, it loses no response that a client is waiting for. */
async function close(server: Server, requests: RequestsInFlight, times: ListenerConfig): Promise<void> {
  await pause(times.shutdownDelayMs);
  const closed = once(server, 'close');
  // Not `server.close()`, which also destroys connections whose responses are still buffered.
  NetServer.prototype.close.call(server);
  const endMs = performance.now() + times.shutdownTimeoutMs;
  do await pause(checkMs);
  while (!requests.isEmpty && performance.now() < endMs);
  server.closeAllConnections();
  await closed;
}
