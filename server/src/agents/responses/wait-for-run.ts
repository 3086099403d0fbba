import type { Db } from '../../db/tables.ts';
import type { Schemas } from '../../operation.ts';
import { subscribeToRun } from './run-event-bus.ts';
import { findRun, isFinished, type RunKey } from '../runs/run-store.ts';
import type { AgentServices } from '../services.ts';

// For runs that another process executes; runs of this process publish their updates at once.
const pollMs = 1000;

/** Waits until a run is finished or the signal aborts, and resolves to the run as it is then. */
export async function waitForRun(
  { db, agents }: AgentServices,
  key: RunKey,
  signal: AbortSignal,
): Promise<Schemas['Run']> {
  const subscription = subscribeToRun(agents.runEvents, key, pollMs);
  try {
    for (;;) {
      const run = await getRun(db, key);
      if (isFinished(run) || signal.aborted) return run;
      await subscription.next(signal);
    }
  } finally {
    subscription.close();
  }
}

/** Reads a run that must exist. */
export async function getRun(db: Db, key: RunKey): Promise<Schemas['Run']> {
  const run = await findRun(db, key);
  if (run === undefined) throw new Error(`Run ${key.id} does not exist.`);
  return run;
}
