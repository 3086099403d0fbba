import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';

/**
 * Resolves to a moment, in microseconds since 1970, before which no more audit entries can appear. Transactions do not
 * commit in the order of their entries' times. So a reader in time order must stop at this moment, or it would miss
 * entries.
 */
export async function findWatermark(db: Db, isDistributed: boolean): Promise<string> {
  // If `pg_stat_activity` does not show a write yet, its entry will be later than `statement_timestamp()`. A session
  // has a transaction id before it records an entry, because each change first locks or inserts its task. A Citus
  // coordinator needs no transaction id for a write on another node, so on Citus all transactions count.
  const { rows } = await sql<{ watermark: string | number }>`
    select least(
      (extract(epoch from statement_timestamp()) * 1000000)::bigint,
      (
        select min((extract(epoch from xact_start) * 1000000)::bigint) from pg_stat_activity
        where datname = current_database() and application_name ~ '^worktable( |$)' and pid <> pg_backend_pid()
          and (${isDistributed}::boolean or backend_xid is not null)
      )
    ) as watermark`.execute(db);
  return String(rows[0]?.watermark ?? 0);
}
