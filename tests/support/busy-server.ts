import { runConnection } from './postgres.ts';
import { startTestServer, type TestServer, type TestServerOptions } from './server.ts';

interface BusyServer {
  readonly server: TestServer;
  /** Unlocks the request; resolves after its response. */
  readonly release: () => Promise<void>;
}

/** Starts a server in which one request waits for a lock until it is released. */
export async function startBusyServer(options: TestServerOptions): Promise<BusyServer> {
  const server = await startTestServer(options);
  const client = await server.as('holder');
  const { promise: mayEnd, resolve } = Promise.withResolvers<undefined>();
  const { promise: holds, resolve: nowHolds } = Promise.withResolvers<undefined>();
  const released = runConnection(server.env['DATABASE_URL'] ?? '', async (connection) => {
    await connection.query('begin; lock table tasks in share mode');
    const waiting = client.ok('createTask', { body: { title: 'Waits' } });
    await connection.waitUntilSomeoneWaits();
    nowHolds(undefined);
    await mayEnd;
    await connection.query('commit');
    await waiting;
  });
  await Promise.race([holds, released]);
  return {
    server,
    release: () => {
      resolve(undefined);
      return released;
    },
  };
}
