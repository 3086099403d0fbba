import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { ListenerConfig } from '../../config/config.ts';
import { Problem } from '../../errors.ts';
import { StartupError } from '../../startup-error.ts';
import type { WriteRawProblem } from '../response/raw-problem.ts';
import { createConnectionErrors } from './connection-errors.ts';
import { createGracefulShutdown } from './graceful-shutdown.ts';
import { cutOffSlowReader } from './slow-readers.ts';

export interface Listener {
  /** The address with the actual port, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /** Stops accepting connections, answers the requests in flight, and closes what is left at the shutdown timeout. */
  close(): Promise<void>;
}

type RequestHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

interface RefusalOptions {
  readonly writeProblem: WriteRawProblem;
  readonly onRefused: (status: number) => void;
}

const headersMax = 100;
// Clients rarely pipeline: browsers, load balancers and HTTP libraries send one request at a time on a connection.
const unansweredMax = 32;
const tooManyUnanswered = new Problem('Overloaded', undefined, { retryAfterS: 1 });
// Longer than load balancers keep idle connections, so that they do not send a request on a connection that is being
// closed.
const keepAliveMs = 75_000;
// A full accept queue drops connections. Their clients retry only after one second, then after three.
const backlog = 4096;

/**
 * Listens for HTTP. Refuses requests whose head cannot be parsed, is too large or arrives too slowly, and calls
 * `onRefused` with the status of each refusal.
 */
export async function listen(
  answer: RequestHandler,
  options: ListenerConfig,
  { writeProblem, onRefused }: RefusalOptions,
): Promise<Listener> {
  const { refuse, refuseSocket } = createConnectionErrors(writeProblem, onRefused);
  const shutdown = createGracefulShutdown();
  const admitPipelined = limitPipelining(unansweredMax);
  const server = createServer({
    requestTimeout: options.requestTimeoutMs,
    headersTimeout: Math.min(options.requestTimeoutMs, 10_000),
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: 1000,
    // Node's own response would have no problem details, so `headError` refuses instead.
    requireHostHeader: false,
  });
  const onRequest = (request: IncomingMessage, response: ServerResponse, refusal?: Problem): void => {
    // A stream has eleven listeners for its end, six of them from Node. Node warns above ten.
    response.setMaxListeners(20);
    const target = originForm(request.url);
    const problem = admitPipelined(request.socket, response)
      ? (headError(target, request, options.hosts) ?? refusal)
      : tooManyUnanswered;
    shutdown.track(response, () => {
      if (problem !== undefined) {
        refuse(request, response, problem);
        return;
      }
      request.url = target;
      void answer(request, response).then(() => {
        cutOffSlowReader(response, options.requestTimeoutMs);
      });
    });
  };
  // A client may close its side of the connection after its request, and still read the response. Node's types lack
  // this property.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('request', onRequest);
  // `receiveBody` sends 100 Continue when the request is known to be allowed.
  server.on('checkContinue', onRequest);
  server.on('checkExpectation', (request, response) => {
    onRequest(request, response, new Problem('Expectation failed'));
  });
  server.on('clientError', refuseSocket);
  await bind(server, options);
  return { url: urlOf(server, options.host), close: () => shutdown.close(server, options) };
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

/** The problem of a head that Node has parsed but this server does not accept. */
function headError(
  target: string | undefined,
  request: IncomingMessage,
  hosts: ListenerConfig['hosts'],
): Problem | undefined {
  if (target === undefined) return new Problem('Bad Request');
  // `rawHeaders` has names and values in turn.
  if (request.rawHeaders.length > 2 * headersMax) return new Problem('Headers too large');
  const coding = request.headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return new Problem('Not implemented');
  if (!hasValidHost(request)) return new Problem('Bad Request', invalidHost);
  if (headersNamed('authorization', request) > 1) return new Problem('Bad Request', twoTokens);
  const name = request.headers.host?.replace(/:\d*$/, '').toLowerCase();
  if (hosts === undefined || name === undefined || hosts.includes(name)) return undefined;
  return new Problem(
    'Bad Request',
    `This demo is only for ${hosts.join(', ')}. Use one of these names, or set PUBLIC_URL.`,
  );
}

const invalidHost = 'Send exactly one Host header, with the name or address of the server and its port.';

const twoTokens = 'Send one Authorization header, with one token.';

const hostAndPort = /^(?:[\w.~!$&'()*+;=%-]*|\[[\da-f:.]+\])(?::\d*)?$/i;

/** Returns true for exactly one Host header, or for none in HTTP/1.0 (RFC 9112, section 3.2). */
function hasValidHost(request: IncomingMessage): boolean {
  const { host } = request.headers;
  if (headersNamed('host', request) > 1) return false;
  return host === undefined ? request.httpVersion === '1.0' : hostAndPort.test(host);
}

/** The number of headers with a name, of which `headers` has only the first. */
function headersNamed(name: string, { rawHeaders }: IncomingMessage): number {
  // Names and values in turn.
  return rawHeaders.filter(
    (text, i) => i % 2 === 0 && text.length === name.length && text.toLowerCase() === name,
  ).length;
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

/**
 * The path and query of a request target, so that all readers of the target agree. A target is a path or an HTTP
 * address, in visible ASCII and without a fragment (RFC 9112, section 3.2). Any other target is undefined.
 */
export function originForm(target = ''): string | undefined {
  if (target.includes('#') || !/^[!-~]+$/.test(target)) return undefined;
  if (target.startsWith('/') || target === '*') return target;
  if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) return undefined;
  // Unchanged: `URL` would turn `/%2e/metrics` into `/metrics`, which a proxy may block.
  const path = target.replace(/^https?:\/\/[^/?]*/i, '');
  return path.startsWith('/') ? path : `/${path}`;
}

function urlOf(server: Server, host: string): string {
  // A server that listens on a host and port has an `AddressInfo`.
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Counts a request of a connection. Returns false if the connection has too many unanswered requests. */
type AdmitPipelined = (socket: Socket, response: ServerResponse) => boolean;

/**
 * Limits how many requests of one connection run at the same time, because each response stays in memory until the
 * earlier ones are sent. A request above the limit gets a response too, because Node stops reading a connection only
 * for unsent responses.
 */
function limitPipelining(unansweredMax: number): AdmitPipelined {
  const unanswered = new WeakMap<Socket, number>();
  return (socket, response) => {
    const count = unanswered.get(socket) ?? 0;
    if (count >= unansweredMax) return false;
    unanswered.set(socket, count + 1);
    // A response that never finishes ends with its connection, and the count is per connection.
    response.once('finish', () => unanswered.set(socket, (unanswered.get(socket) ?? 0) - 1));
    return true;
  };
}
