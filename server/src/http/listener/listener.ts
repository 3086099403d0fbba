import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ListenerConfig } from '../../config.ts';
import { StartupError } from '../../environment.ts';
import { createGracefulShutdown } from './graceful-shutdown.ts';
import { limitPipelining } from '../overload/pipelining.ts';
import { createConnectionErrors } from './connection-errors.ts';
import { cutOffSlowReader } from '../overload/slow-readers.ts';

export interface Listener {
  /** The address with the port that was really taken, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /** Stops accepting, answers what is in flight, and cuts off what is left after the drain time. */
  close(): Promise<void>;
}

export type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const headersMax = 100;
// Browsers, balancers and HTTP libraries send one request at a time down a connection.
const unansweredMax = 32;
// Longer than balancers keep theirs, so that none sends a request down a connection that is just being closed.
const keepAliveMs = 75_000;
// New connections that find no place here are dropped, and their clients try again only after a second, then after three.
const backlog = 4096;

/**
 * Listens for HTTP and answers what never becomes a request of the app: unreadable, too slow or too large heads.
 * `onRefused` hears the status of each such answer.
 */
export async function listen(
  answer: Answer,
  options: ListenerConfig,
  onRefused: (status: number) => void,
): Promise<Listener> {
  const { refuse, refuseSocket } = createConnectionErrors(onRefused);
  const drain = createGracefulShutdown();
  const admitPipelined = limitPipelining(unansweredMax);
  const server = createServer({
    requestTimeout: options.requestTimeoutMs,
    headersTimeout: Math.min(options.requestTimeoutMs, 10_000),
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: 1000,
  });
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    if (!admitPipelined(request.socket, response)) return;
    drain.track(response, () => {
      if (!isReadableTarget(request.url)) refuse(response, 'Bad Request');
      // Names and values alternate.
      else if (request.rawHeaders.length > 2 * headersMax) refuse(response, 'Headers too large');
      else {
        void answer(request, response).then(() => {
          cutOffSlowReader(response, options.requestTimeoutMs);
        });
      }
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
    const fail = (error: Error): void => {
      reject(listenError(error, options));
    };
    server.once('error', fail).listen({ port: options.port, host: options.host, backlog }, resolve);
  });
  return { url: urlOf(server, options.host), close: () => drain.close(server, options) };
}

function listenError(error: Error, { host, port }: ListenerConfig): Error {
  const unknownHost = `HOST ${host} is no address, and no name that this machine knows.`;
  const sentences: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} is already in use. Set PORT to a free one.`,
    EADDRNOTAVAIL: `HOST ${host} is no address of this machine.`,
    EACCES: `Port ${port} is not for this user. Set PORT to one above 1023.`,
    ENOTFOUND: unknownHost,
    EAI_AGAIN: unknownHost,
  };
  const sentence = sentences['code' in error ? String(error.code) : ''];
  const other = `The server cannot listen at HOST ${host} and PORT ${port}: ${error.message}.`;
  return new StartupError(sentence ?? other, { cause: error });
}

/** The target of a request is a path, or an HTTP address (RFC 9112, section 3.2). */
function isReadableTarget(target = ''): boolean {
  return target.startsWith('/') || target === '*' || (/^https?:\/\//i.test(target) && URL.canParse(target));
}

function urlOf(server: Server, host: string): string {
  // A server that listens on a host and port has an address of that kind.
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
