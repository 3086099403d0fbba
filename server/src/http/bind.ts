import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import type { ListenerConfig } from '../config/config.ts';
import { StartupError } from '../lib/startup-error.ts';

type Address = Pick<ListenerConfig, 'host' | 'port' | 'reusePort'>;

// A full accept queue drops connections, and their clients retry only after one second, then after three.
const backlog = 4096;

/** Throws a StartupError if a server could not listen. Does not try a port that running servers may share. */
export async function assertCanListen(address: Address): Promise<void> {
  // The operating system would give some of their connections to the server that only tries.
  if (address.reusePort) return;
  const server = createServer();
  await bind(server, address);
  await once(server.close(), 'close');
}

/** Lets a server listen. Rejects with a StartupError. */
export function bind(server: Server, options: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => {
      reject(listenError(error, options));
    };
    server.once('error', fail).listen({ ...options, backlog }, resolve);
  });
}

function listenError(error: Error, { host, port }: Address): Error {
  const unknownHost = `HOST ${host} is neither an address nor a name that this machine can resolve.`;
  const sentences: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} is already in use. Set PORT to a free one.`,
    EADDRNOTAVAIL: `HOST ${host} is not an address of this machine.`,
    ENOTSUP: 'This system does not let several processes listen on the same port. Set REUSE_PORT=false.',
    EACCES: `This user may not listen on port ${port}. Set PORT to a port above 1023.`,
    ENOTFOUND: unknownHost,
    // Without a network, the resolver does not know.
    EAI_AGAIN: unknownHost,
  };
  const sentence = sentences['code' in error ? String(error.code) : ''];
  const other = `The server cannot listen at HOST ${host} and PORT ${port}: ${error.message}.`;
  return new StartupError(sentence ?? other, { cause: error });
}
