import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

/** Starts listening on a free port of 127.0.0.1, and resolves to that port. */
export async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a port has such an address.
  return (server.address() as AddressInfo).port;
}
