import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Random } from './random.ts';

/** Records changes like a server, but in transactions that commit at random times and so in another order. */
export async function commitLate(
  url: string,
  user: string,
  random: Random,
  isDone: () => boolean,
): Promise<void> {
  const writers = Array.from({ length: 4 }, async () => {
    const client = new pg.Client({ connectionString: url, application_name: 'worktable' });
    await client.connect();
    while (!isDone()) {
      await client.query('begin');
      await client.query(
        `insert into audit_logs (id, task_id, user_id, action, actor_type, actor_id, payload, created_at)
         values ($1, $2, $3, 'create', 'human', $3, '{}', now())`,
        [randomUUID(), randomUUID(), user],
      );
      await sleep(random.integerBetween(0, 300));
      await client.query(random.next() < 0.9 ? 'commit' : 'rollback');
    }
    await client.end();
  });
  await Promise.all(writers);
}
