import { sql } from 'kysely';
import { fromKysely, type PgBoss } from 'pg-boss';
import type { Db } from '../../db/tables.ts';
import { jobFrom, queueName, retentionSeconds, type RunJob } from './run-job.ts';

/**
 * Adds the missing jobs of unfinished runs, and extends the retention of jobs that the queue would delete too early.
 * Several servers may do this at the same time, because a job has the id of its run. A superfluous job is harmless: its
 * worker finds no unfinished run.
 */
export async function restoreJobs(boss: PgBoss, db: Db, jobs: readonly RunJob[]): Promise<void> {
  const open = await findOpenJobs(
    db,
    jobs.map(({ runId }) => runId),
  );
  const expiring = open.filter((job) => job.is_expiring).map(({ id }) => id);
  if (expiring.length > 0) await extendRetention(db, expiring);
  const ids = new Set(open.map(({ id }) => id));
  const missing = jobs.filter(({ runId }) => !ids.has(runId));
  if (missing.length === 0) return;
  await db.transaction().execute(async (transaction) => {
    await deleteEndedJobs(
      transaction,
      missing.map(({ runId }) => runId),
    );
    await boss.insert(queueName, missing.map(jobFrom), { db: fromKysely(transaction) });
  });
}

interface OpenJob {
  readonly id: string;
  readonly is_expiring: boolean;
}

/** The jobs that are queued or active. */
async function findOpenJobs(db: Db, ids: readonly string[]): Promise<OpenJob[]> {
  const { rows } = await sql<OpenJob>`
    select id, keep_until < now() + ${retentionSeconds / 2} * interval '1 second' as is_expiring
    from pgboss.job
    where name = ${queueName} and id = any(${ids}::uuid[]) and state <= 'active'`.execute(db);
  return rows;
}

async function extendRetention(db: Db, ids: readonly string[]): Promise<void> {
  await sql`
    update pgboss.job set keep_until = now() + ${retentionSeconds} * interval '1 second'
    where name = ${queueName} and id = any(${ids}::uuid[])`.execute(db);
}

/**
 * pg-boss keeps an ended job for some minutes, under the id that its replacement needs. A run can outlive its job: the
 * job executed an older run of the session, or failed after too many attempts.
 */
async function deleteEndedJobs(db: Db, ids: readonly string[]): Promise<void> {
  await sql`
    delete from pgboss.job
    where name = ${queueName} and id = any(${ids}::uuid[]) and state > 'active'`.execute(db);
}
