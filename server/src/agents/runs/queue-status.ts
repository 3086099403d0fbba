import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import { queueName } from './run-job.ts';

/**
 * The number of queued jobs, and how long the oldest that may begin has been queued, without its postponements. A job may
 * not begin while an earlier job of its session is active or postponed.
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
