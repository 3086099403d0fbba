import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { ListenerConfig } from '../../config/config.ts';
import { StartupError } from '../../startup-error.ts';
import { Problem } from '../../errors.ts';
import type { WriteRawProblem } from '../response/raw-problem.ts';
import { createGracefulShutdown } from './graceful-shutdown.ts';
import { createConnectionErrors } from './connection-errors.ts';
import { cutOffSlowReader } from '../../limits/slow-readers.ts';

export interface Listener {
  /** The address with the actual port, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /** Stops accepting, answers the requests in flight, and closes what is left at the shutdown timeout. */
  close(): Promise<void>;
}

type RequestHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

interface RefusalOptions {
  readonly writeProblem: WriteRawProblem;
  readonly onRefused: (status: number) => void;
}

const headersMax = 100;
// Browsers, load balancers and HTTP libraries send one request at a time on a connection.
const unansweredMax = 32;
const tooManyUnanswered = new Problem('Overloaded', undefined, { retryAfterS: 1 });
// Load balancers close idle connections sooner, so none of them sends a request on a connection that is just being
// closed.
const keepAliveMs = 75_000;
// A full accept queue drops connections, and their clients try again only after one second, then three.
const backlog = 4096;

/**
 * Listens for HTTP. Requests whose head cannot be parsed, is too large or arrives too slowly are refused here, and
 * `onRefused` is called with the status of each refusal.
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
    // Node's own answer would lack problem details, so `headError` answers.
    requireHostHeader: false,
  });
  const onRequest = (request: IncomingMessage, response: ServerResponse, refusal?: Problem): void => {
    // A stream has eleven listeners for its end, six of them Node's own. Node warns of more than ten.
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
  server.on('request', onRequest);
  // `receiveBody` sends 100 Continue once the request is known to be allowed.
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
    server.once('error', fail).listen({ port: options.port, host: options.host, backlog }, resolve);
  });
}

/** The error of a head that Node has parsed but this server does not accept. */
function headError(
  target: string | undefined,
  request: IncomingMessage,
  hosts: ListenerConfig['hosts'],
): Problem | undefined {
  if (target === undefined) return new Problem('Bad Request');
  // Names and values alternate.
  if (request.rawHeaders.length > 2 * headersMax) return new Problem('Headers too large');
  if (!hasValidHost(request)) return new Problem('Bad Request', invalidHost);
  const name = request.headers.host?.replace(/:\d*$/, '').toLowerCase();
  if (hosts === undefined || name === undefined || hosts.includes(name)) return undefined;
  return new Problem(
    'Bad Request',
    `This demo is only for ${hosts.join(', ')}. Use one of these names, or set PUBLIC_URL.`,
  );
}

const invalidHost = 'Send exactly one Host header, with the name or address of the server and its port.';

const hostAndPort = /^(?:[\w.~!$&'()*+;=%-]*|\[[\da-f:.]+\])(?::\d*)?$/i;

/** Returns true for a head with one Host header, which HTTP/1.0 may lack (RFC 9112, section 3.2). */
function hasValidHost({ rawHeaders, headers: { host }, httpVersion }: IncomingMessage): boolean {
  // `headers` has only the first of several Host headers.
  const isHost = (text: string, i: number): boolean => i % 2 === 0 && /^host$/i.test(text);
  if (rawHeaders.findIndex(isHost) !== rawHeaders.findLastIndex(isHost)) return false;
  return host === undefined ? httpVersion === '1.0' : hostAndPort.test(host);
}

function listenError(error: Error, { host, port }: ListenerConfig): Error {
  const unknownHost = `HOST ${host} is neither an address nor a name that this machine can resolve.`;
  const sentences: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} is already in use. Set PORT to a free one.`,
    EADDRNOTAVAIL: `HOST ${host} is not an address of this machine.`,
    EACCES: `This user may not listen on port ${port}. Set PORT to a port above 1023.`,
    ENOTFOUND: unknownHost,
    EAI_AGAIN: unknownHost,
  };
  const sentence = sentences['code' in error ? String(error.code) : ''];
  const other = `The server cannot listen at HOST ${host} and PORT ${port}: ${error.message}.`;
  return new StartupError(sentence ?? other, { cause: error });
}

/**
 * The path and query of a request target, so that every reader of the target finds the same. A target is a path or an
 * HTTP address, in visible ASCII and without a fragment (RFC 9112, section 3.2). Any other target is undefined.
 */
export function originForm(target = ''): string | undefined {
  if (target.includes('#') || !/^[!-~]+$/.test(target)) return undefined;
  if (target.startsWith('/') || target === '*') return target;
  if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) return undefined;
  // Taken as it is: a parser of addresses would turn `/%2e/metrics` into `/metrics`, past the rules of a proxy.
  const path = target.replace(/^https?:\/\/[^/?]*/i, '');
  return path.startsWith('/') ? path : `/${path}`;
}

function urlOf(server: Server, host: string): string {
  // A server that listens on a host and port has an address object.
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Counts a request of a connection. Returns false if too many requests of the connection are unanswered. */
type AdmitPipelined = (socket: Socket, response: ServerResponse) => boolean;

/**
 * Bounds how many requests of one connection run at the same time, because each response stays in memory until the
 * responses before it are sent. A request above the limit gets a response too, because only unsent responses make Node
 * stop reading a connection.
 */
function limitPipelining(unansweredMax: number): AdmitPipelined {
  const unanswered = new WeakMap<Socket, number>();
  return (socket, response) => {
    const count = unanswered.get(socket) ?? 0;
    if (count >= unansweredMax) return false;
    unanswered.set(socket, count + 1);
    // A response that never finishes ends with its connection, and so does the count.
    response.once('finish', () => unanswered.set(socket, (unanswered.get(socket) ?? 0) - 1));
    return true;
  };
}
