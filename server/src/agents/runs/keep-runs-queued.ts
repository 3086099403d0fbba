import type { RowKey } from '../../db/row-key.ts';
import type { Db } from '../../db/tables.ts';
import type { AgentServices } from '../services.ts';
import { expireApprovals } from './expire-approvals.ts';
import { hastenResumed } from './paused-runtimes.ts';
import type { RunQueue } from './queue.ts';
import { findQueuedRuns, findRunsInProgress } from './run-store.ts';

const intervalMs = 60_000;

/**
 * Every minute, rejects calls whose approval has expired, and then restores the jobs of the runs in progress. Resolves
 * to a function that stops this.
 */
export async function keepRunsQueued(
  db: Db,
  queue: Pick<RunQueue, 'add' | 'restore' | 'wakeWorker'>,
  onFailure: (error: unknown) => void,
): Promise<() => Promise<void>> {
  const stopping = new AbortController();
  let latest: Promise<void> | undefined;
  // Passes do not overlap, even if one takes longer than the interval.
  const pass = (): Promise<void> =>
    (latest ??= expireApprovals(db, queue, stopping.signal)
      .catch(onFailure)
      .then(() => restoreJobs(db, queue, stopping.signal))
      .catch(onFailure)
      .finally(() => (latest = undefined)));
  await pass();
  const timer = setInterval(() => void pass(), intervalMs).unref();
  return async () => {
    clearInterval(timer);
    stopping.abort();
    await latest;
  };
}

/**
 * Restores the jobs of the runs behind a run that has waited for decisions. Meanwhile their jobs found no run to execute
 * and ended. If this fails, the next pass of `keepRunsQueued` restores the jobs.
 */
export async function restoreJobsBehind(
  { db, queue, logger }: Pick<AgentServices, 'db' | 'queue' | 'logger'>,
  session: RowKey,
): Promise<void> {
  try {
    await queue.restore(await findQueuedRuns(db, session));
    queue.wakeWorker();
  } catch (error) {
    logger.warn(
      { err: error, session_id: session.id, user: session.userId },
      'cannot queue the next runs of a session yet',
    );
  }
}

async function restoreJobs(db: Db, queue: Pick<RunQueue, 'restore'>, stopping: AbortSignal): Promise<void> {
  await hastenResumed(db);
  for await (const runs of findRunsInProgress(db)) {
    if (stopping.aborted) return;
    await queue.restore(runs);
  }
}
