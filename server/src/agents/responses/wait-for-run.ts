import type { Db } from '../../db/tables.ts';
import { timestamp } from '../../db/timestamps.ts';
import type { Schemas } from '../../operation.ts';
import { findRun, isInProgress } from '../runs/run-store.ts';
import type { AgentServices } from '../services.ts';

type Run = Schemas['Run'];

/** Waits until a run is finished or requires action, or until the signal aborts. Resolves to the run. */
export async function waitForRun(
  { db, runEvents }: Pick<AgentServices, 'db' | 'runEvents'>,
  { run: started, userId }: { readonly run: Run; readonly userId: string },
  signal: AbortSignal,
): Promise<Run> {
  const subscription = runEvents.subscribe({ id: started.id, userId });
  try {
    let run = started;
    for (;;) {
      run = await refreshRun(db, run, userId);
      if (!isInProgress(run) || signal.aborted) return run;
      await subscription.next(signal);
    }
  } finally {
    subscription.close();
  }
}

/** Reads a run again. A run without a row was cancelled and deleted with its session. */
export async function refreshRun(db: Db, run: Run, userId: string): Promise<Run> {
  const current = await findRun(db, { id: run.id, userId });
  return current ?? { ...run, status: 'cancelled', completed_at: timestamp() };
}
