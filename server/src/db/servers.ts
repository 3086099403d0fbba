import { sql } from 'kysely';
import { StartupError } from '../lib/startup-error.ts';
import type { Db } from './tables.ts';

/**
 * Resolves to true if servers are connected. Commands connect under another name. A pooler may append its client's
 * address to the name.
 */
export async function hasServers(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and application_name ~ '^worktable( |$)'`.execute(db);
  return rows.length > 0;
}

export async function assertNoServers(db: Db): Promise<void> {
  if (await hasServers(db))
    throw new StartupError(
      'Servers are connected to the database. Stop them, so that nothing is written meanwhile. Connections that a pooler keeps also count: send `RECONNECT` on the console of PgBouncer.',
    );
}
