import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Server as NetServer, type AddressInfo, type Socket } from 'node:net';
import { setImmediate, setTimeout as pause } from 'node:timers/promises';
import type { ListenerConfig } from '../config/config.ts';
import { bind } from './bind.ts';
import { discardRest } from './request/body.ts';

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
  const requests = new RequestsInFlight(async (request, response) => {
    await answer(request, response);
    closeIfUnread(response, requestTimeoutMs);
  });
  // A client may close its side of the connection after its request, and still read the response. Node's types lack
  // this property.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('request', requests.begin);
  // `receiveBody` sends 100 Continue when the request is known to be allowed.
  server.on('checkContinue', requests.begin);
  // Ignores other expectations (RFC 9110, section 10.1.1). The 417 by Node would not be one of the requests in flight.
  server.on('checkExpectation', requests.begin);
  server.on('connection', requests.watch);
  server.on('clientError', (error: ParseError, socket: Socket) => {
    requests.refuseRest(socket, refusalOf(error));
  });
  await bind(server, options);
  return { url: urlOf(server, options.host), close: () => close(server, requests, options) };
}

/** The requests whose responses the operating system has not taken. */
class RequestsInFlight {
  readonly #answer: RequestHandler;
  readonly #byConnection = new Map<Socket, ServerResponse[]>();
  readonly #refusals = new WeakMap<Socket, string>();
  #paused: (() => void)[] | undefined;

  constructor(answer: RequestHandler) {
    this.#answer = answer;
  }

  get isEmpty(): boolean {
    return this.#byConnection.size === 0;
  }

  /** Ends a connection with a refusal of what it sends behind its complete requests, after these have been answered. */
  refuseRest(socket: Socket, refusal: string): void {
    const deferred = this.#refusals.get(socket);
    const unanswered = this.#byConnection.get(socket) ?? [];
    this.#refusals.set(socket, deferred ?? refusal);
    // A client that continues to send calls this for each packet.
    if (deferred !== undefined && !socket.writable) return;
    if (unanswered.some(({ req }) => req.complete)) {
      socket.pause();
      return;
    }
    if (socket.writable) socket.end(deferred ?? refusal);
    if (deferred === undefined) socket.destroy();
    // The client may still be sending, and would lose the refusal.
    else discardRest(unanswered[0]?.req ?? socket);
  }

  /** Keeps a connection paused while a request waits. Node resumes it after each request, and to read a body. */
  readonly watch = (socket: Socket): void => {
    socket.on('resume', () => {
      // Node stops reading at this event. `pause` does not emit it if it was also called before this `resume`.
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
      const refusal = this.#refusals.get(socket);
      if (refusal !== undefined) this.refuseRest(socket, refusal);
    });
    // A stream has eleven listeners for its end, six of them from Node. Node warns above ten.
    response.setMaxListeners(20);
    const start = (): void => {
      if (!socket.writable) return;
      // Ends the timeout of an earlier response.
      socket.setTimeout(0);
      if (this.#paused === undefined) void this.#answer(request, response);
      else this.#paused.push(start);
    };
    if (previous === undefined) start();
    // In a later iteration of the event loop, so that other connections are served between the requests of this one.
    else previous.once('close', () => void setImmediate().then(start));
    if (unanswered.length > 1) socket.pause();
  };

  /** Delays requests until work is done, so that their clients open no further connections. */
  async pauseDuring(work: () => Promise<void>): Promise<void> {
    const paused: (() => void)[] = [];
    this.#paused = paused;
    await work();
    this.#paused = undefined;
    for (const start of paused) start();
  }
}

/**
 * Closes the connection of a client that reads nothing of its response for one or two timeouts, to free the memory of the
 * response. A stream without anything to send stays open.
 */
function closeIfUnread(response: ServerResponse, timeoutMs: number): void {
  // The operating system takes most responses at once.
  if (response.writableEnded && response.writableLength === 0) return;
  response.setTimeout(timeoutMs, () => {
    if (response.writableLength > 0) response.destroy();
  });
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

const acceptQueueMs = 500;
const checkMs = 50;
const quietMs = 1000;

/** Ends a server without losing a response that a client is waiting for. */
async function close(server: Server, requests: RequestsInFlight, times: ListenerConfig): Promise<void> {
  await pause(times.shutdownDelayMs);
  const closed = once(server, 'close');
  await requests.pauseDuring(async () => {
    await waitForAcceptQueue(server, performance.now() + acceptQueueMs);
    // Not `server.close()`, which also destroys connections whose responses are still buffered.
    NetServer.prototype.close.call(server);
  });
  const endMs = performance.now() + times.shutdownTimeoutMs;
  let busyMs = performance.now();
  for (let isClosed = false; !isClosed && performance.now() < Math.min(endMs, busyMs + quietMs);) {
    if (requests.isEmpty) server.closeIdleConnections();
    else busyMs = performance.now();
    isClosed = await Promise.race([closed.then(() => true), pause(checkMs, false)]);
  }
  server.closeAllConnections();
  await closed;
}

/**
 * Resolves when no connection has arrived for a moment. When listening ends, the operating system resets the
 * connections in its accept queue. Node may accept only one connection in each iteration of its event loop.
 */
async function waitForAcceptQueue(server: Server, untilMs: number): Promise<void> {
  let isEmpty = false;
  const onConnection = (): void => {
    isEmpty = false;
  };
  server.on('connection', onConnection);
  while (!isEmpty && performance.now() < untilMs) {
    isEmpty = true;
    await pause(5);
    // After a long iteration of the event loop, connections may still be in the queue.
    const startMs = performance.now();
    await setImmediate();
    isEmpty &&= performance.now() - startMs < 0.5;
  }
  server.off('connection', onConnection);
}
