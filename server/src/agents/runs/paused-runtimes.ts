import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import { statusInProgress } from './run-store.ts';

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
 * Resumes a runtime, or all runtimes. The time limits of their runs begin again. Resolves to the names that are still
 * paused.
 */
export async function resumeRuntime(db: Db, runtime?: string): Promise<string[]> {
  const isResumed = runtime === undefined ? sql`true` : sql`runtime = ${runtime}`;
  await sql`update runs set started_at = null where ${statusInProgress} and ${isResumed}`.execute(db);
  await sql`delete from paused_runtimes where ${isResumed}`.execute(db);
  return findPausedRuntimes(db);
}
