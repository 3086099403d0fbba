import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import type { DatabaseConfig } from '../../config/config.ts';
import { connectionProblem, databaseProblem, hasStalePlan } from '../errors.ts';
import type { Db } from '../tables.ts';
import { connectionOptions } from './postgres.ts';

/**
 * Resolves to false if a pooler loses prepared statements. Two connections in turn prepare different statements under
 * the same name. A pooler that gives both the same connection to Postgres confuses the statements. While other clients
 * use the pooler, it may do so only in a later round.
 */
export async function keepsPreparedStatements(url: string, config: DatabaseConfig): Promise<boolean> {
  const name = `worktable-check-${randomUUID()}`;
  const options = connectionOptions(url, config);
  const clients = [new pg.Client(options), new pg.Client(options)];
  // A connection that breaks also emits its error.
  for (const client of clients) client.on('error', () => undefined);
  try {
    for (const client of clients) await client.connect();
    for (let round = 0; round < 10; round += 1) {
      for (const [i, client] of clients.entries()) {
        const text = `select ${i} as answer`;
        const { rows } = await client.query<{ answer: number }>({ name, text });
        if (rows[0]?.answer !== i) return false;
      }
    }
    return true;
  } catch (cause) {
    if (hasStalePlan(databaseProblem(cause))) return false;
    throw connectionProblem(cause);
  } finally {
    await Promise.allSettled(clients.map((client) => client.end()));
  }
}

/** The time limits of this server that its connections lack. */
export async function findMissingTimeLimits(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from pg_settings where setting = '0'
      and name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout')
    order by name`.execute(db);
  return rows.map(({ name }) => name);
}
