import { sql } from 'kysely';
import type { RowKey } from '../../db/row-key.ts';
import type { AgentServices } from '../services.ts';
import { lockOldestUnfinished } from './lease.ts';
import { lockPause } from './paused-runtimes.ts';
import { statusInProgress } from './run-store.ts';

/**
 * If the runtime of a session's next run is paused, puts the job of the session back until the runtime is resumed. The
 * time limit of the run begins again. If the runtime has been resumed since the lease was tried, the job begins at once.
 */
export async function suspendPaused({ db, agents }: AgentServices, session: RowKey): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ runtime: string }>`
      update runs set started_at = null
      where user_id = ${session.userId} and id = ${lockOldestUnfinished(session)} and ${statusInProgress}
      returning runtime`.execute(transaction);
    for (const { runtime } of rows) {
      const isPaused = await lockPause(transaction, runtime);
      await agents.queue.postpone(transaction, session, isPaused ? Infinity : 0);
    }
  });
}
