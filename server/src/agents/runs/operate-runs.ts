import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../db/tables.ts';
import type { Schemas } from '../../contract/operation.ts';
import { statusInProgress } from './run-store.ts';
import { addTurn } from './turns.ts';

/** The name under which all runtimes are paused. */
const all = '*';

/** The names of the paused runtimes, with `*` if all are paused. Their runs do not begin. */
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

// After a day, the user has probably found another way.
const hoursMax = 24;

/**
 * For one runtime or all: ends the pauses of runs that wait for their model server, and queues again the runs that
 * failed because of it in the last day. Leaves out a failed run if its agent is deleted, or if its session has a later
 * run, because the user may have asked again.
 */
export async function retryRuns(db: Db, runtime?: string): Promise<{ waiting: number; failed: number }> {
  const { numAffectedRows: waiting = 0n } = await sql`
    update runs set waiting = (waiting::jsonb - 'until')::json
    where ${statusInProgress} and waiting is not null and attempt = waited_after_attempt and ${isOf(runtime)}`.execute(
    db,
  );
  await sql`
    update session_turns set run_after = least(run_after, now())
    where runtime is not null and ${isOf(runtime)}`.execute(db);
  const failed = await db.transaction().execute(async (transaction) => {
    const { rows } = await sql<Parameters<typeof addTurn>[1]>`
      update runs
      set status = 'queued', error = null, completed_at = null, started_at = null, elapsed_ms = 0, waiting = null,
        waited_after_attempt = attempt
      where status = 'failed' and error->>'code' = any(${reparable}::text[])
        and completed_at > now() - ${hoursMax} * interval '1 hour' and ${isOf(runtime)}
        and exists (
          select from agents
          where agents.user_id = runs.user_id and agents.id = runs.agent_id and archived_at is null
        )
        and not exists (
          select from runs later
          where later.user_id = runs.user_id and later.session_id = runs.session_id and later.seq > runs.seq
        )
      returning id, user_id as "userId", session_id as "sessionId", runtime`.execute(transaction);
    for (const run of rows) await addTurn(transaction, run);
    return rows.length;
  });
  return { waiting: Number(waiting), failed };
}
