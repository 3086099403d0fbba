import type { Db } from '../../db/tables.ts';
import type { RunQueue } from './queue.ts';
import { findUnfinishedRuns } from './run-store.ts';

const intervalMs = 60_000;

/**
 * Makes sure that every unfinished run has a job, now and every minute: a run without a job is never worked on, and the
 * later runs of its session stay one behind. Resolves to the function that stops this.
 */
export async function keepRunsQueued(
  db: Db,
  queue: Pick<RunQueue, 'restore'>,
  onFailure: (error: unknown) => void,
): Promise<() => Promise<void>> {
  const stopping = new AbortController();
  let latest: Promise<void> | undefined;
  // A pass that takes longer than the interval is not joined by a second one.
  const pass = (): Promise<void> =>
    (latest ??= queueUnfinishedRuns(db, queue, stopping.signal)
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

async function queueUnfinishedRuns(
  db: Db,
  queue: Pick<RunQueue, 'restore'>,
  stopping: AbortSignal,
): Promise<void> {
  for await (const runs of findUnfinishedRuns(db)) {
    if (stopping.aborted) return;
    await queue.restore(db, runs);
  }
}
