import { connect, createServer, type Socket } from 'node:net';
import { cleanUpAfter } from './cleanup.ts';
import { listen } from './listen.ts';

export interface Relay {
  readonly url: string;
  /** Closes every connection and refuses new ones, as a server that is stopped. */
  cut(): Promise<void>;
  /** Accepts connections again. */
  restore(): Promise<void>;
}

/** Passes connections to a server on another port, until it is cut. Stops after the file's tests. */
export async function startRelay(upstream: string): Promise<Relay> {
  const { port: upstreamPort } = new URL(upstream);
  const sockets = new Set<Socket>();
  const relay = createServer((incoming) => {
    const outgoing = connect(Number(upstreamPort), '127.0.0.1');
    for (const socket of [incoming, outgoing]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        incoming.destroy();
        outgoing.destroy();
      });
    }
    incoming.pipe(outgoing).pipe(incoming);
  });
  const port = await listen(relay);
  const cut = async (): Promise<void> => {
    const closed = new Promise((resolve) => relay.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  cleanUpAfter(() => {
    for (const socket of sockets) socket.destroy();
    relay.close();
  });
  return {
    url: `http://127.0.0.1:${port}`,
    cut,
    restore: async () => {
      if (!relay.listening) await listen(relay, port);
    },
  };
}
