import { hash } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import type { JobInsert } from 'pg-boss';
import type { RowKey } from '../../db/row-key.ts';
import type { Db } from '../../db/tables.ts';

/** The run that a job was added for, with its user and its session. */
export interface RunJob {
  readonly runId: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly runtime: string;
  /** The request that started the run; undefined where the job was lost and restored. */
  readonly requestId?: string | undefined;
}

export const queueName = 'runs';

export function jobFrom(data: RunJob): JobInsert<RunJob> {
  const singletonKey = keyOf({ id: data.sessionId, userId: data.userId });
  // The queue counts active jobs by `group`.
  return { singletonKey, priority: priorityOf(data.runtime), group: { id: data.userId }, data };
}

/**
 * One key for each session, because pg-boss keeps jobs with the same key in order. A session id has no slash, so the
 * key is unambiguous.
 */
function keyOf({ id, userId }: RowKey): string {
  return `${id}/${userId}`;
}

/**
 * The priority of the jobs of a runtime. Each priority has its own workers, so that a slow model server does not delay
 * the runs of other runtimes. The number depends on the name alone, so it is the same on all servers.
 */
function priorityOf(runtime: string): number {
  return hash('sha256', runtime, 'buffer').readInt32BE();
}

export function isOfSession(session: RowKey): RawBuilder<boolean> {
  return sql<boolean>`singleton_key = ${keyOf(session)}`;
}

/** Puts active jobs back into the queue. They may begin again after `ms`. */
export async function postponeJobs(db: Db, which: RawBuilder<unknown>, ms: number): Promise<void> {
  await putBack(db, which, sql`now() + ${ms} * interval '1 ms'`);
}

/** Puts active jobs back into the queue. They may begin again after `hastenJobs`. */
export async function suspendJobs(db: Db, which: RawBuilder<unknown>): Promise<void> {
  await putBack(db, which, sql`'infinity'::timestamptz`);
}

/** Later jobs of the same sessions wait. pg-boss then ignores that the worker completes the job. */
async function putBack(db: Db, which: RawBuilder<unknown>, startAfter: RawBuilder<unknown>): Promise<void> {
  await sql`
    update pgboss.job set state = 'retry', start_after = ${startAfter}
    where name = ${queueName} and state = 'active' and ${which}`.execute(db);
}

/** Lets postponed and suspended jobs begin now, and resolves to their number. */
export async function hastenJobs(db: Db, which: RawBuilder<unknown>): Promise<number> {
  const { numAffectedRows } = await sql`
    update pgboss.job set start_after = now()
    where name = ${queueName} and state = 'retry' and start_after > now() and ${which}`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** Those of the jobs that are neither queued nor active. */
export async function findMissingJobs(db: Db, jobs: readonly RunJob[]): Promise<RunJob[]> {
  const ids = jobs.map(({ runId }) => runId);
  const { rows } = await sql<{ id: string }>`
    select data->>'runId' as id from pgboss.job
    where name = ${queueName} and state <= 'active' and data->>'runId' = any(${ids}::text[])`.execute(db);
  const open = new Set(rows.map(({ id }) => id));
  return jobs.filter(({ runId }) => !open.has(runId));
}

/**
 * The number of queued jobs, and how long the oldest job that may begin has been queued, without its postponements. A
 * job may not begin while an earlier job of its session is active, postponed or suspended.
 */
export async function queueStatus(db: Db): Promise<{ queued: number; oldestSeconds: number }> {
  const { rows } = await sql<{ queued: number; oldest_s: number }>`
    select count(*)::int as queued,
      coalesce(extract(epoch from now() - min(start_after) filter (where not exists (
        select from pgboss.job earlier
        where earlier.name = job.name and earlier.singleton_key = job.singleton_key and earlier.id <> job.id
          and earlier.state in ('retry', 'active')
      ))), 0)::float8 as oldest_s
    from pgboss.job where name = ${queueName} and state < 'active' and start_after <= now()`.execute(db);
  const [{ queued, oldest_s } = { queued: 0, oldest_s: 0 }] = rows;
  return { queued, oldestSeconds: oldest_s };
}
