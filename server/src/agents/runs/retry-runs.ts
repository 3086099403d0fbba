import { sql, type RawBuilder, type Selectable } from 'kysely';
import type { RowKey } from '../../db/row-key.ts';
import type { Db, RunRow } from '../../db/tables.ts';
import type { Schemas } from '../../operation.ts';
import { statusInProgress } from './run-store.ts';
import { addTurn, hastenPaused } from './turns.ts';

/** Failures that an operator can repair at the model server or in a setting. */
const reparable: readonly Schemas['RunError']['code'][] = [
  'model_unavailable',
  'runtime_error',
  'model_not_found',
  'insufficient_quota',
];

type FailedRun = Pick<Selectable<RunRow>, 'user_id' | 'id' | 'session_id' | 'runtime'>;

// After a day, the user has probably found another way.
const hoursMax = 24;

/**
 * For one runtime, or for all: lets runs begin that wait for their model server, and queues runs again that have failed
 * because of it. A failed run is left alone if its agent is deleted, or if its session has a later run, because the
 * user may have asked again.
 */
export async function retryRuns(db: Db, runtime?: string): Promise<{ waiting: number; failed: number }> {
  const ofRuntime = runtime === undefined ? sql`true` : sql`runtime = ${runtime}`;
  const { rows: sessions } = await sql<RowKey>`
    select user_id as "userId", session_id as id from runs
    where ${statusInProgress} and waiting is not null and ${ofRuntime}`.execute(db);
  const waiting = await hastenPaused(db, sessions);
  let failed = 0;
  for (const run of await findFailedRuns(db, ofRuntime)) failed += await queueAgain(db, run);
  return { waiting, failed };
}

async function findFailedRuns(db: Db, ofRuntime: RawBuilder<unknown>): Promise<FailedRun[]> {
  const { rows } = await sql<FailedRun>`
    select user_id, id, session_id, runtime from runs
    where status = 'failed' and error->>'code' = any(${reparable}::text[])
      and completed_at > now() - ${hoursMax} * interval '1 hour'
      and ${ofRuntime}
      and exists (
        select from agents
        where agents.user_id = runs.user_id and agents.id = runs.agent_id and archived_at is null
      )
      and not exists (
        select from runs later
        where later.user_id = runs.user_id and later.session_id = runs.session_id and later.seq > runs.seq
      )`.execute(db);
  return rows;
}

async function queueAgain(
  db: Db,
  { user_id: userId, id, session_id: sessionId, runtime }: FailedRun,
): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const { numAffectedRows } = await sql`
      update runs
      set status = 'queued', error = null, completed_at = null, started_at = null, elapsed_ms = 0, waiting = null,
        waited_after_attempt = attempt
      where user_id = ${userId} and id = ${id} and status = 'failed'`.execute(transaction);
    if (numAffectedRows === 1n)
      await addTurn(transaction, { id, session: { id: sessionId, userId }, runtime });
    return Number(numAffectedRows ?? 0);
  });
}
