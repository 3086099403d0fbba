import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../db/tables.ts';
import { hastenJobs } from './run-jobs.ts';

/** The name under which all runtimes are paused. */
const all = '*';

/** The names of the paused runtimes. Their runs are not leased. */
export async function findPausedRuntimes(db: Db): Promise<string[]> {
  const { rows } = await sql<{ runtime: string }>`
    select runtime from paused_runtimes order by runtime`.execute(db);
  return rows.map(({ runtime }) => runtime);
}

/** SQL: the runtime of a run is paused, so the run must not be leased. */
export function isPaused(paused: readonly string[]): RawBuilder<boolean> {
  return paused.includes(all) ? sql<boolean>`true` : sql<boolean>`runtime = any(${paused}::text[])`;
}

/** Returns true if a runtime is paused, and then keeps it paused until the transaction has put the job back. */
export async function lockPause(transaction: Db, runtime: string): Promise<boolean> {
  const { rows } = await sql`
    select from paused_runtimes where runtime in (${all}, ${runtime}) for share`.execute(transaction);
  return rows.length > 0;
}

/** Prevents the runs of a runtime, or of all runtimes, from beginning until `resumeRuntime`. */
export async function pauseRuntime(db: Db, runtime = all): Promise<void> {
  await sql`
    insert into paused_runtimes (runtime) values (${runtime}) on conflict do nothing`.execute(db);
}

/** Resumes a runtime, or all runtimes. Resolves to the names that are still paused. */
export async function resumeRuntime(db: Db, runtime?: string): Promise<string[]> {
  const isResumed = runtime === undefined ? sql`true` : sql`runtime = ${runtime}`;
  await sql`delete from paused_runtimes where ${isResumed}`.execute(db);
  await hastenResumed(db);
  return findPausedRuntimes(db);
}

/** Lets jobs begin that waited for a runtime which is no longer paused. */
export async function hastenResumed(db: Db): Promise<void> {
  await hastenJobs(
    db,
    sql`start_after = 'infinity'
      and not exists (select from paused_runtimes where runtime in (${all}, data->>'runtime'))`,
  );
}
