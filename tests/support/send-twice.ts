import { runConnection } from './postgres.ts';
import { engine, type TestServer } from './server.ts';

/** Sends a request while a table is locked, sends it again while the first one waits, and resolves to both responses. */
export function sendTwiceWhileLocked<Answer>(
  server: TestServer,
  table: string,
  send: () => Promise<Answer>,
): Promise<[Answer, Answer]> {
  return runConnection(server.env['DATABASE_URL'] ?? '', async (connection) => {
    await connection.query(`begin; lock table ${table} in share mode`);
    const first = send();
    await connection.waitUntilSomeoneWaits();
    const second = send();
    // On Citus the second request waits on another node.
    await connection.waitUntilSomeoneWaits(engine === 'citus' ? 1 : 2);
    await connection.query('commit');
    return Promise.all([first, second]);
  });
}
