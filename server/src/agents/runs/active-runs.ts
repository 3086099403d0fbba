import type { Db } from '../../db/tables.ts';
import { isHeld, LeaseLost, type LeasedRun } from './lease.ts';
import { savePreview, type GrowingPreview, type Preview } from './preview.ts';

// The interval of checks of the lease. A cancellation by another process or a lost lease is noticed within it, and
// stored previews are at most this old.
const pollMs = 1000;

interface ActiveRun {
  readonly attempt: number;
  readonly controller: AbortController;
  preview: GrowingPreview | undefined;
}

/** The runs that this process executes. */
export class ActiveRuns {
  readonly #runs = new Map<string, ActiveRun>();

  /** Watches a lease until `end` is called. The signal aborts with `LeaseLost` when the lease is lost. */
  watch(db: Db, run: LeasedRun): { readonly signal: AbortSignal; readonly end: () => void } {
    const controller = new AbortController();
    const active: ActiveRun = { attempt: run.attempt, controller, preview: undefined };
    this.#runs.set(run.id, active);
    const confirmLease = createLeaseCheck(db, run);
    let isChecking = false;
    const check = async (): Promise<void> => {
      if (isChecking) return;
      isChecking = true;
      // Ignore the error: the next write fails with it too.
      const held = await confirmLease(active.preview).catch(() => true);
      isChecking = false;
      if (!held) controller.abort(new LeaseLost(run.id));
    };
    const timer = setInterval(() => void check(), pollMs);
    return {
      signal: controller.signal,
      end: () => {
        clearInterval(timer);
        if (this.#runs.get(run.id) === active) this.#runs.delete(run.id);
      },
    };
  }

  /** Aborts the work on a run. */
  stop(runId: string): void {
    this.#runs.get(runId)?.controller.abort(new LeaseLost(runId));
  }

  /** Returns true if this process executes the run. */
  has(runId: string): boolean {
    return this.#runs.has(runId);
  }

  /** Sets the message that the model of the run is writing; undefined once it is stored. */
  setPreview({ id, attempt }: LeasedRun, preview: GrowingPreview | undefined): void {
    const active = this.#runs.get(id);
    if (active?.attempt === attempt) active.preview = preview;
  }

  previewOf(runId: string): Preview | undefined {
    return this.#runs.get(runId)?.preview;
  }
}

/** Returns a function that stores the preview if it has grown, and resolves to false if the lease is lost. */
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
