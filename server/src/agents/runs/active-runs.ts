import type { Db } from '../../db/tables.ts';
import { isHeld, LeaseLost, type LeasedRun } from './lease.ts';
import { savePreview, type GrowingPreview, type Preview } from './preview.ts';

/** The runs that this process executes. */
export interface ActiveRuns {
  /** Watches a lease until `end` is called. The signal aborts with `LeaseLost` when the lease is lost. */
  watch(db: Db, run: LeasedRun): { readonly signal: AbortSignal; readonly end: () => void };
  /** Aborts the signal of a run. */
  stop(runId: string): void;
  /** Returns true if this process executes the run. */
  has(runId: string): boolean;
  /** Sets the message that the model of the run is writing; undefined once it is stored. */
  setPreview(run: LeasedRun, preview: GrowingPreview | undefined): void;
  previewOf(runId: string): Preview | undefined;
}

// The longest time until a cancellation at another process or a lost lease is noticed, and the greatest age of a stored
// preview.
const pollMs = 1000;

interface ActiveRun {
  readonly attempt: number;
  readonly controller: AbortController;
  preview: GrowingPreview | undefined;
}

export function createActiveRuns(): ActiveRuns {
  const runs = new Map<string, ActiveRun>();
  return {
    stop: (runId) => {
      runs.get(runId)?.controller.abort(new LeaseLost(runId));
    },
    has: (runId) => runs.has(runId),
    setPreview: ({ id, attempt }, preview) => {
      const active = runs.get(id);
      if (active?.attempt === attempt) active.preview = preview;
    },
    previewOf: (runId) => runs.get(runId)?.preview,
    watch: (db, run) => {
      const controller = new AbortController();
      const active: ActiveRun = { attempt: run.attempt, controller, preview: undefined };
      runs.set(run.id, active);
      const confirmLease = createLeaseCheck(db, run);
      let isChecking = false;
      const check = async (): Promise<void> => {
        if (isChecking) return;
        isChecking = true;
        // The error is ignored, because the next write fails with it too.
        const held = await confirmLease(active.preview).catch(() => true);
        isChecking = false;
        if (!held) controller.abort(new LeaseLost(run.id));
      };
      const timer = setInterval(() => void check(), pollMs);
      return {
        signal: controller.signal,
        end: () => {
          clearInterval(timer);
          if (runs.get(run.id) === active) runs.delete(run.id);
        },
      };
    },
  };
}

/** Returns false if the lease is lost. Stores the preview if it has grown since the last call. */
function createLeaseCheck(db: Db, run: LeasedRun): (preview: GrowingPreview | undefined) => Promise<boolean> {
  let saved = { messageId: '', length: 0 };
  return async (preview) => {
    const isSaved =
      preview === undefined || (preview.messageId === saved.messageId && preview.length === saved.length);
    if (!isSaved) saved = { messageId: preview.messageId, length: preview.length };
    return (!isSaved && (await savePreview(db, run, preview))) || (await hasLease(db, run));
  };
}

async function hasLease(db: Db, run: LeasedRun): Promise<boolean> {
  const row = await db.selectFrom('runs').select('id').where(isHeld(run)).executeTakeFirst();
  return row !== undefined;
}
