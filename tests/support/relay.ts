import { connect, createServer, type Socket } from 'node:net';
import { cleanUpAfter } from './cleanup.ts';
import { listen } from './listen.ts';

export interface Relay {
  /** The address of the upstream server, with the host and port of the relay. */
  readonly url: string;
  /** Closes every connection and refuses new connections, like a stopped server. */
  cut(): Promise<void>;
  /** Closes the open connections. */
  cutConnections(): void;
  /** Passes no more data but keeps connections open, like a machine that hangs. */
  silence(): void;
  /** Accepts new connections and closes them at once, as some proxies do. Existing connections stay. */
  hangUpOnNewcomers(): void;
  /** Passes new connections again. Existing connections stay as they are. */
  restore(): Promise<void>;
  /** Passes the data of silent connections again. */
  resume(): void;
}

/**
 * Passes connections to a server on another port, until the test or file has ended. The methods of the relay
 * interrupt connections.
 */
export async function startRelay(upstream: string): Promise<Relay> {
  const { hostname, port: upstreamPort } = new URL(upstream);
  const sockets = new Set<Socket>();
  let reception: 'pass' | 'silence' | 'hang up' = 'pass';
  const relay = createServer((incoming) => {
    if (reception === 'hang up') {
      incoming.destroy();
      return;
    }
    const outgoing = connect(Number(upstreamPort), hostname);
    join(incoming, outgoing);
    join(outgoing, incoming);
  });
  function join(from: Socket, to: Socket): void {
    sockets.add(from);
    from.on('data', (chunk: Buffer) => to.write(chunk));
    from.on('error', () => from.destroy());
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
    if (reception === 'silence') from.pause();
  }
  const cutConnections = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const cut = async (): Promise<void> => {
    const closed = new Promise((resolve) => relay.close(resolve));
    cutConnections();
    await closed;
  };
  const port = await listen(relay);
  cleanUpAfter(cut);
  const url = Object.assign(new URL(upstream), { hostname: '127.0.0.1', port });
  return {
    url: url.href.replace(/\/$/, ''),
    cut,
    cutConnections,
    silence: () => {
      reception = 'silence';
      for (const socket of sockets) socket.pause();
    },
    hangUpOnNewcomers: () => {
      reception = 'hang up';
    },
    restore: async () => {
      reception = 'pass';
      if (!relay.listening) await listen(relay, port);
    },
    resume: () => {
      for (const socket of sockets) socket.resume();
    },
  };
}
