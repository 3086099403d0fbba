import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

/** Listens on a port of 127.0.0.1, by default a free one. Resolves to the port. */
export async function listen(server: Server, port = 0): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  // This cast is safe: a server that listens on a port has an AddressInfo.
  return (server.address() as AddressInfo).port;
}
