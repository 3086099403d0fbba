import { sql, type RawBuilder } from 'kysely';
import { isRow } from '../../db/rows.ts';
import type { Db } from '../../db/tables.ts';
import type { Schemas } from '../../contract/operation.ts';
import { statusInProgress } from './run-store.ts';
import { addTurn, hastenTurn } from './turns.ts';

/** The name under which all runtimes are paused. */
const all = '*';

/** The names of the paused runtimes. Their runs do not begin. */
export async function findPausedRuntimes(db: Db): Promise<string[]> {
  const { rows } = await sql<{ runtime: string }>`
    select runtime from paused_runtimes order by runtime`.execute(db);
  return rows.map(({ runtime }) => runtime);
}

/** Prevents the runs of a runtime, or of all runtimes, from beginning until `resumeRuntime`. */
export async function pauseRuntime(db: Db, runtime = all): Promise<void> {
  await sql`
    insert into paused_runtimes (runtime) values (${runtime}) on conflict do nothing`.execute(db);
}

/**
 * Resumes a runtime, or all runtimes. The time since `started_at` no longer counts towards the time limits of their
 * runs. Resolves to the names that are still paused.
 */
export async function resumeRuntime(db: Db, runtime?: string): Promise<string[]> {
  await sql`update runs set started_at = null where ${statusInProgress} and ${isOf(runtime)}`.execute(db);
  await sql`delete from paused_runtimes where ${isOf(runtime)}`.execute(db);
  return findPausedRuntimes(db);
}

function isOf(runtime: string | undefined): RawBuilder<boolean> {
  return runtime === undefined ? sql<boolean>`true` : sql<boolean>`runtime = ${runtime}`;
}

/** Failures that an operator can repair at the model server or in a setting. */
const reparable: readonly Schemas['RunError']['code'][] = [
  'model_unavailable',
  'runtime_error',
  'model_not_found',
  'insufficient_quota',
];

type RetriedRun = Parameters<typeof addTurn>[1];
const retriedColumns = sql`id, user_id as "userId", session_id as "sessionId", runtime`;

// After a day, the user has probably found another way.
const hoursMax = 24;

/**
 * For one runtime or all: ends the pauses of runs that wait for their model server, and queues runs again that failed
 * because of it within a day. A failed run is left alone if its agent is deleted, or if its session has a later run,
 * because the user may have asked again.
 */
export async function retryRuns(db: Db, runtime?: string): Promise<{ waiting: number; failed: number }> {
  const waiting = await sql<RetriedRun>`
    update runs set waiting = (waiting::jsonb - 'until')::json
    where ${statusInProgress} and waiting is not null and attempt = waited_after_attempt and ${isOf(runtime)}
    returning ${retriedColumns}`.execute(db);
  for (const run of waiting.rows) await hastenTurn(db, run, run.runtime);
  const failed = await sql<RetriedRun>`
    select ${retriedColumns} from runs
    where status = 'failed' and error->>'code' = any(${reparable}::text[])
      and completed_at > now() - ${hoursMax} * interval '1 hour'
      and ${isOf(runtime)}
      and exists (
        select from agents
        where agents.user_id = runs.user_id and agents.id = runs.agent_id and archived_at is null
      )
      and not exists (
        select from runs later
        where later.user_id = runs.user_id and later.session_id = runs.session_id and later.seq > runs.seq
      )`.execute(db);
  let queued = 0;
  for (const run of failed.rows) queued += await queueAgain(db, run);
  return { waiting: waiting.rows.length, failed: queued };
}

async function queueAgain(db: Db, run: RetriedRun): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const { numAffectedRows } = await sql`
      update runs
      set status = 'queued', error = null, completed_at = null, started_at = null, elapsed_ms = 0, waiting = null,
        waited_after_attempt = attempt
      where ${isRow(run)} and status = 'failed'`.execute(transaction);
    if (numAffectedRows === 1n) await addTurn(transaction, run);
    return Number(numAffectedRows ?? 0);
  });
}
