import { whileLocked } from './locks.ts';
import { startTestServer, type TestServer, type TestServerOptions } from './server.ts';

interface BusyServer {
  readonly server: TestServer;
  /** Releases the lock, and resolves when the request has been answered. */
  readonly release: () => Promise<void>;
}

/** Starts a server in which one request waits for a lock until it is released. */
export async function startBusyServer(options: TestServerOptions): Promise<BusyServer> {
  const server = await startTestServer(options);
  const client = await server.as('holder');
  const [mayEnd, holds] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  const released = whileLocked(server, 'lock table tasks in share mode', async (transaction) => {
    const waiting = client.ok('createTask', { body: { title: 'Waits' } });
    await transaction.waitUntilSomeoneWaits();
    holds.resolve(undefined);
    await mayEnd.promise;
    await transaction.query('commit');
    await waiting;
  });
  await Promise.race([holds.promise, released]);
  return {
    server,
    release: () => {
      mayEnd.resolve(undefined);
      return released;
    },
  };
}
