import type { Db } from '../../db/tables.ts';
import { LeaseLost, type LeasedRun } from './lease.ts';

/** The runs that this process executes. */
export interface ActiveRuns {
  /** Watches a lease until `end` is called. The signal aborts with `LeaseLost` when the lease is lost. */
  watch(db: Db, run: LeasedRun): { readonly signal: AbortSignal; readonly end: () => void };
  /** Aborts the signal of a run. */
  stop(runId: string): void;
}

// For runs that a request at another process cancels, or that another worker takes over.
const pollMs = 1000;

export function createActiveRuns(): ActiveRuns {
  const controllers = new Map<string, AbortController>();
  const stop = (runId: string): void => {
    controllers.get(runId)?.abort(new LeaseLost(runId));
  };
  return {
    stop,
    watch: (db, run) => {
      const controller = new AbortController();
      controllers.set(run.id, controller);
      let isChecking = false;
      const check = async (): Promise<void> => {
        if (isChecking) return;
        isChecking = true;
        // An error is ignored here, because the next write fails with it too.
        const held = await isHeld(db, run).catch(() => true);
        isChecking = false;
        if (!held) controller.abort(new LeaseLost(run.id));
      };
      const timer = setInterval(() => void check(), pollMs);
      return {
        signal: controller.signal,
        end: () => {
          clearInterval(timer);
          if (controllers.get(run.id) === controller) controllers.delete(run.id);
        },
      };
    },
  };
}

async function isHeld(db: Db, { id, userId, attempt }: LeasedRun): Promise<boolean> {
  const row = await db
    .selectFrom('runs')
    .select('attempt')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('status', '=', 'running')
    .executeTakeFirst();
  return row !== undefined;
}
