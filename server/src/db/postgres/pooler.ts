import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { DatabaseConfig } from '../../config/config.ts';
import { databaseProblem, hasStalePlan, overloaded } from '../errors.ts';
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
    throw overloaded('unreachable', cause);
  } finally {
    await Promise.allSettled(clients.map((client) => client.end()));
  }
}
