import type { Db } from '../../db/tables.ts';
import type { Schemas } from '../../operation.ts';
import { subscribeToRun } from './run-event-bus.ts';
import { findRun, isFinished, type RunKey } from '../runs/run-store.ts';
import type { AgentServices } from '../services.ts';

// For runs that another process works on; of those of this process everybody hears at once.
const pollMs = 1000;

/** Waits until a run is finished, or the signal aborts, and resolves to the run as it is then. */
export async function waitForRun(
  { db, agents }: AgentServices,
  key: RunKey,
  until: AbortSignal,
): Promise<Schemas['Run']> {
  const news = subscribeToRun(agents.changes, key, pollMs);
  try {
    for (;;) {
      const run = await runOf(db, key);
      if (isFinished(run) || until.aborted) return run;
      await news.next(until);
    }
  } finally {
    news.close();
  }
}

/** A run that is known to be there. */
export async function runOf(db: Db, key: RunKey): Promise<Schemas['Run']> {
  const run = await findRun(db, key);
  if (run === undefined) throw new Error(`Run ${key.id} is gone.`);
  return run;
}
