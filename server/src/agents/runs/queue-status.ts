import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import { queueName } from './run-job.ts';

/** The number of jobs that wait for a worker, and how long the oldest has waited. */
export async function queueStatus(db: Db): Promise<{ queued: number; oldestSeconds: number }> {
  const { rows } = await sql<{ queued: number; oldest_s: number }>`
    select count(*)::int as queued,
      coalesce(extract(epoch from now() - min(created_on)), 0)::float8 as oldest_s
    from pgboss.job where name = ${queueName} and state < 'active'`.execute(db);
  const [{ queued, oldest_s } = { queued: 0, oldest_s: 0 }] = rows;
  return { queued, oldestSeconds: oldest_s };
}
