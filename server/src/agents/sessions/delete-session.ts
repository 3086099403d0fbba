import { sql } from 'kysely';
import { isRow, type RowKey } from '../../db/row-key.ts';
import type { Db } from '../../db/tables.ts';
import type { EndedRun } from '../runs/cancel-run.ts';
import { executionMs, lockNewRuns, statusUnfinished } from '../runs/run-store.ts';

interface UnfinishedRun {
  readonly id: string;
  readonly execution_ms: number;
}

/**
 * Deletes a session with its messages and runs. Resolves to its unfinished runs, or to undefined if the user has no
 * such session. Workers cannot write to the session afterwards, because each write locks its run, which no longer
 * exists.
 */
export async function removeSession(
  db: Db,
  { id, userId }: RowKey,
): Promise<readonly EndedRun[] | undefined> {
  return db.transaction().execute(async (transaction) => {
    await lockNewRuns(transaction, userId);
    // Lock the run before the session, as workers do: another order could deadlock.
    const unfinished = await sql<UnfinishedRun>`
      select id, ${executionMs()} as execution_ms from runs
      where user_id = ${userId} and session_id = ${id} and ${statusUnfinished}
      order by seq
      for update`.execute(transaction);
    const { numDeletedRows } = await transaction
      .deleteFrom('sessions')
      .where(isRow({ id, userId }))
      .executeTakeFirstOrThrow();
    if (numDeletedRows === 0n) return undefined;
    await sql`delete from session_turns where user_id = ${userId} and session_id = ${id}`.execute(
      transaction,
    );
    return unfinished.rows.map(({ id: runId, execution_ms }) => ({ id: runId, executionMs: execution_ms }));
  });
}

/** Deletes sessions without activity for `maxAgeMs`, with their messages and runs, unless a run is unfinished. */
export async function deleteOldSessions(db: Db, maxAgeMs: number, max: number): Promise<number> {
  const isOld = sql`updated_at < now() - ${maxAgeMs} * interval '1 ms'`;
  // Checks the locked row too, because a run may have started since the subquery selected it.
  const { numAffectedRows } = await sql`
    delete from sessions where ${isOld} and (user_id, id) in (
      select user_id, id from sessions where ${isOld} and not exists (
        select from runs where runs.user_id = sessions.user_id and session_id = sessions.id and ${statusUnfinished})
      limit ${Math.ceil(max / sessionRowsUsual)})`.execute(db);
  return Number(numAffectedRows ?? 0);
}

// The usual number of rows that are deleted with a session.
const sessionRowsUsual = 50;
