import { connect, createServer, type Socket } from 'node:net';
import { listen } from './listen.ts';

export interface Line {
  readonly url: string;
  /** Stops passing data without closing a connection, like a machine that hangs. */
  silence(): void;
  /** New connections pass; the connections that exist stay silent. */
  mendForNewcomers(): void;
  mend(): void;
  close(): void;
}

/** A line to a Postgres that can go silent. */
export async function lineTo(url: string): Promise<Line> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const both = (run: (socket: Socket) => void): void => {
    for (const socket of sockets) run(socket);
  };
  let isSilent = false;
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk: Buffer) => to.write(chunk)).on('error', () => undefined);
      from.on('close', () => to.destroy());
      if (isSilent) from.pause();
    }
  });
  const own = new URL(url);
  own.port = String(await listen(server));
  return {
    url: own.href,
    silence: () => {
      isSilent = true;
      both((socket) => socket.pause());
    },
    mendForNewcomers: () => {
      isSilent = false;
    },
    mend: () => {
      isSilent = false;
      both((socket) => socket.resume());
    },
    close: () => {
      both((socket) => socket.destroy());
      server.close();
    },
  };
}
