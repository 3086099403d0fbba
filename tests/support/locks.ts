import { runConnection, type Connection } from './postgres.ts';
import { engine, type TestDatabase } from './server.ts';

/** Calls a function while another transaction, which has run the statements, is open (Postgres only). */
export function whileLocked<Result>(
  { env }: TestDatabase,
  statements: string,
  use: (transaction: Connection) => Promise<Result>,
): Promise<Result> {
  return runConnection(env['DATABASE_URL'] ?? '', async (transaction) => {
    await transaction.query(`begin; ${statements}`);
    const result = await use(transaction);
    await transaction.query('rollback');
    return result;
  });
}

/** Locks a table, sends a request, and sends it again while the first request waits. Resolves to both responses. */
export function sendTwiceWhileLocked<Answer>(
  database: TestDatabase,
  table: string,
  send: () => Promise<Answer>,
): Promise<[Answer, Answer]> {
  return whileLocked(database, `lock table ${table} in share mode`, async (transaction) => {
    const first = send();
    await transaction.waitUntilSomeoneWaits();
    const second = send();
    // On Citus, the second request waits on another node, where this connection does not see it.
    await transaction.waitUntilSomeoneWaits(engine === 'citus' ? 1 : 2);
    await transaction.query('commit');
    return Promise.all([first, second]);
  });
}
