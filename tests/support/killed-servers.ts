import { join } from 'node:path';
import { PgBoss } from 'pg-boss';
import { run } from './postgres.ts';

const preload = join(import.meta.dirname, 'kill-at-statement.ts');

/** The environment of a server that kills itself at a statement, for example `before 2` of them or `after 2`. */
export function killedAt(at: string, statement: string): Record<string, string> {
  return { KILL_AT: at, KILL_STATEMENT: statement, NODE_OPTIONS: `--import=${preload}` };
}

/**
 * On Postgres, the other servers notice a dead worker some seconds after its heartbeats stop. This ages the heartbeats, and
 * lets pg-boss look at once, as it does in each of those servers.
 */
export async function noticeDeadWorkers({
  DATABASE_URL: url,
}: Readonly<Record<string, string>>): Promise<void> {
  if (url === undefined) return;
  await run(
    url,
    "update pgboss.job set heartbeat_on = heartbeat_on - interval '1 hour' where state = 'active'",
  );
  await run(url, 'update pgboss.queue set monitor_claim_on = null, monitor_on = null');
  const boss = new PgBoss({ connectionString: url, supervise: false, schedule: false });
  await boss.start();
  await boss.supervise();
  await boss.stop({ graceful: false });
}
