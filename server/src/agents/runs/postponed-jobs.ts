import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../db/tables.ts';
import type { SessionKey } from '../sessions/session-store.ts';
import { keyOf, queueName } from './run-job.ts';

/**
 * Puts the active job of a session back, as pg-boss does after a failure. Later jobs of the session wait for it. pg-boss
 * ignores that the worker then completes the job.
 */
export async function postponeJob(transaction: Db, session: SessionKey, ms: number): Promise<void> {
  await sql`
    update pgboss.job set state = 'retry', start_after = now() + ${ms} * interval '1 ms'
    where name = ${queueName} and singleton_key = ${keyOf(session)} and state = 'active'`.execute(
    transaction,
  );
}

/** Lets postponed jobs begin now. */
export async function hastenJobs(db: Db, which: RawBuilder<unknown>): Promise<void> {
  await sql`
    update pgboss.job set start_after = now()
    where name = ${queueName} and state = 'retry' and start_after > now() and ${which}`.execute(db);
}
