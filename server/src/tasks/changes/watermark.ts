import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';

/**
 * Resolves to a moment, in microseconds since 1970, before which no further audit entry can appear. Transactions commit
 * in another order than the times of their entries, so a reader in the order of time has to stop at this moment.
 */
export async function findWatermark(db: Db, isDistributed: boolean): Promise<string> {
  // The entry of a write that this statement does not see among the sessions is later than `statement_timestamp()`. A
  // session has its transaction id before it records an entry, because each change first locks or inserts its task. The
  // coordinator of a Citus cluster needs no transaction id for a write on another node, so there all transactions
  // count.
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
