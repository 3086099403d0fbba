import { sql } from 'kysely';
import type { RowKey } from '../../db/row-key.ts';
import type { AgentServices } from '../services.ts';
import { lockOldestUnfinished } from './lease.ts';
import { lockPause } from './paused-runtimes.ts';
import { statusInProgress } from './run-store.ts';

/**
 * Suspends the job of a session until the runtime of its next run is resumed. The time limit of the run then begins
 * again. If the runtime is not paused any more, the job begins at once.
 */
export async function suspendPaused(
  { db, queue }: Pick<AgentServices, 'db' | 'queue'>,
  session: RowKey,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ runtime: string }>`
      update runs set started_at = null
      where user_id = ${session.userId} and id = ${lockOldestUnfinished(session)} and ${statusInProgress}
      returning runtime`.execute(transaction);
    for (const { runtime } of rows) {
      const isPaused = await lockPause(transaction, runtime);
      if (isPaused) await queue.suspend(transaction, session);
      else await queue.postpone(transaction, session, 0);
    }
  });
}
