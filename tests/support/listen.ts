import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

/** Starts listening on a port of 127.0.0.1, by default a free one, and resolves to that port. */
export async function listen(server: Server, port = 0): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a port has such an address.
  return (server.address() as AddressInfo).port;
}
