import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Config } from './config.ts';
import { SetupError } from './environment.ts';

export interface Listener {
  /** The address with the port that was really taken, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /** Stops accepting and waits for the requests in flight. */
  close(): Promise<void>;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Answers requests at the configured host and port. */
export async function listen(answer: Answer, config: Config): Promise<Listener> {
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      reject(listenError(error, config));
    });
    server.listen(config.port, config.host, resolve);
  });
  return { url: urlOf(server, config.host), close: () => closed(server) };
}

function listenError(error: NodeJS.ErrnoException, { host, port }: Config): Error {
  if (error.code === 'EADDRINUSE')
    return new SetupError(`Port ${port} is already in use. Set PORT to a free one.`);
  if (error.code === 'EADDRNOTAVAIL') return new SetupError(`HOST ${host} is no address of this machine.`);
  return error;
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => {
      if (error === undefined) resolve();
      else reject(error);
    });
    server.closeIdleConnections();
  });
}

function urlOf(server: Server, host: string): string {
  // A server that listens on a host and port has an address of that kind.
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
