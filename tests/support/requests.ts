import type { OperationId } from '../../server/src/operations.ts';
import { handlers } from '../../server/src/handlers.ts';
import type { Input } from './client.ts';
import { runConnection } from './postgres.ts';
import type { TestServer } from './server.ts';

/** An id that nothing has. */
export const id = '01932c07-a5a8-7d51-8a62-3a4b5c6d7e8f';

/** For each operation a request that is valid. */
export const requests: Record<OperationId, Input> = {
  listTasks: {},
  createTask: { body: { title: 'x' } },
  getTask: { id },
  updateTask: { id, body: { title: 'x' } },
  deleteTask: { id },
  assignTask: { id, body: { assignee_id: 'bob' } },
  listComments: { id },
  createComment: { id, body: { body: 'x' } },
  listAuditLogs: { id },
  getVizStatus: {},
  renderSvg: { body: { data: [] } },
  renderPng: { body: { data: [] } },
  renderPdf: { body: { data: [] } },
  listAgents: {},
  createAgent: { body: { name: 'x' } },
  runAgent: { id, body: { input: 'x' } },
  getSession: { id },
  listMessages: { id },
};

/** The operations that the server offers. */
export const offered = Object.keys(handlers) as (keyof typeof handlers)[];
/** Keeps one request of the server waiting for a lock until it is released. */
export async function holdRequest(
  server: TestServer,
): Promise<{ release: () => void; released: Promise<void> }> {
  const client = await server.as('holder');
  const { promise: mayEnd, resolve: release } = Promise.withResolvers<undefined>();
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
    release: () => {
      release(undefined);
    },
    released,
  };
}
