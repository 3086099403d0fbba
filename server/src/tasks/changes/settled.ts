import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';

/**
 * Resolves to a moment, in microseconds since 1970, before which no audit entry can appear any more. Entries appear when
 * their transaction commits, in another order than that of their times, so a reader that goes by time has to stop there.
 */
export async function findSettled(db: Db, isDistributed: boolean): Promise<string> {
  // A write that this statement does not see among the sessions takes the time of its entry after `statement_timestamp()`. A
  // session has its transaction id before it records an entry, because each change first locks or inserts its task. The
  // coordinator of a Citus cluster needs no transaction id for a write on another node, so there all transactions count.
  const { rows } = await sql<{ settled: string | number }>`
    select least(
      (extract(epoch from statement_timestamp()) * 1000000)::bigint,
      (
        select min((extract(epoch from xact_start) * 1000000)::bigint) from pg_stat_activity
        where datname = current_database() and application_name ~ '^worktable( |$)' and pid <> pg_backend_pid()
          and (${isDistributed}::boolean or backend_xid is not null)
      )
    ) as settled`.execute(db);
  return String(rows[0]?.settled ?? 0);
}
