import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import { queueName } from './run-job.ts';

/**
 * The number of queued jobs, and how long the oldest has waited for a worker, without the time that it waited for an
 * earlier job of its session.
 */
export async function queueStatus(db: Db): Promise<{ queued: number; oldestSeconds: number }> {
  const { rows } = await sql<{ queued: number; oldest_s: number }>`
    select count(*)::int as queued,
      coalesce(extract(epoch from now() - min(created_on) filter (where not exists (
        select from pgboss.job active
        where active.name = job.name and active.state = 'active' and active.singleton_key = job.singleton_key
      ))), 0)::float8 as oldest_s
    from pgboss.job where name = ${queueName} and state < 'active' and start_after <= now()`.execute(db);
  const [{ queued, oldest_s } = { queued: 0, oldest_s: 0 }] = rows;
  return { queued, oldestSeconds: oldest_s };
}
