import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../db/tables.ts';
import type { SessionKey } from '../sessions/session-store.ts';
import { keyOf, queueName } from './run-job.ts';

/**
 * Puts the active job of a session back for `ms`, or, if `ms` is infinite, until `hastenJobs` lets it begin. Later jobs
 * of the session wait for it. When the worker then completes the job, pg-boss ignores it.
 */
export async function postponeJob(transaction: Db, session: SessionKey, ms: number): Promise<void> {
  const startAfter = Number.isFinite(ms)
    ? sql`now() + ${ms} * interval '1 ms'`
    : sql`'infinity'::timestamptz`;
  await sql`
    update pgboss.job set state = 'retry', start_after = ${startAfter}
    where name = ${queueName} and singleton_key = ${keyOf(session)} and state = 'active'`.execute(
    transaction,
  );
}

/** Lets postponed jobs begin now. Resolves to their number. */
export async function hastenJobs(db: Db, which: RawBuilder<unknown>): Promise<number> {
  const { numAffectedRows } = await sql`
    update pgboss.job set start_after = now()
    where name = ${queueName} and state = 'retry' and start_after > now() and ${which}`.execute(db);
  return Number(numAffectedRows ?? 0);
}
