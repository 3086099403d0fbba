import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { StartupError } from '../../startup-error.ts';
import { connectionProblem, databaseProblem, hasStalePlan } from '../errors.ts';
import type { Db } from '../tables.ts';

/**
 * Throws a StartupError if a pooler loses prepared statements. Two connections in turn prepare different statements
 * under the same name. A pooler that gives both the same connection to Postgres confuses the statements.
 */
export async function assertKeepsStatements(options: pg.ClientConfig): Promise<void> {
  const name = `worktable-check-${randomUUID()}`;
  const clients = [new pg.Client(options), new pg.Client(options)];
  // A connection that breaks also emits its error.
  for (const client of clients) client.on('error', () => undefined);
  try {
    for (const client of clients) await client.connect();
    for (let round = 0; round < 3; round += 1) {
      for (const [i, client] of clients.entries()) {
        const text = `select ${i} as answer`;
        const { rows } = await client.query<{ answer: number }>({ name, text });
        if (rows[0]?.answer !== i) throw new StartupError(lost);
      }
    }
  } catch (cause) {
    if (cause instanceof StartupError) throw cause;
    if (hasStalePlan(databaseProblem(cause))) throw new StartupError(lost, { cause });
    throw connectionProblem(cause);
  } finally {
    await Promise.allSettled(clients.map((client) => client.end()));
  }
}

const lost =
  'The pooler at DATABASE_URL does not keep prepared statements. Set DATABASE_PREPARED_STATEMENTS=false, or have the pooler track them; see PgBouncer in server/README.md.';

/** The time limits of this server that its connections lack. */
export async function findMissingTimeLimits(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from pg_settings where setting = '0'
      and name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout')
    order by name`.execute(db);
  return rows.map(({ name }) => name);
}
