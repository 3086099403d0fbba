import type { OperationId } from '../../server/src/operations.ts';
import type { Input } from './client.ts';
import { runConnection } from './postgres.ts';
import { startTestServer, type TestServer, type TestServerOptions } from './server.ts';

/** An id that nothing has. */
export const unknownId = '01932c07-a5a8-7d51-8a62-3a4b5c6d7e8f';

/** For each operation a request that is valid. */
export const requests: Record<OperationId, Input> = {
  listTasks: {},
  createTask: { body: { title: 'x' } },
  getTask: { id: unknownId },
  updateTask: { id: unknownId, body: { title: 'x' } },
  deleteTask: { id: unknownId },
  assignTask: { id: unknownId, body: { assignee_id: 'bob' } },
  listComments: { id: unknownId },
  createComment: { id: unknownId, body: { body: 'x' } },
  listAuditLogs: { id: unknownId },
  getVizStatus: {},
  renderSvg: { body: { data: [] } },
  renderPng: { body: { data: [] } },
  renderPdf: { body: { data: [] } },
  listAgents: {},
  createAgent: { body: { name: 'x' } },
  runAgent: { id: unknownId, body: { input: 'x' } },
  getSession: { id: unknownId },
  listMessages: { id: unknownId },
};

// The type of `requests` has just the operations as its names.
export const operationIds = Object.keys(requests) as OperationId[];

export interface BusyServer {
  readonly server: TestServer;
  /** Lets the request go on; resolves once it has been answered. */
  readonly release: () => Promise<void>;
}

/** A server of which one request waits for a lock until it is released. */
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
