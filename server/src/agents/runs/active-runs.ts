import type { Db } from '../../db/tables.ts';
import { every } from '../../every.ts';
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

  /** Watches a lease until it is disposed. The signal aborts with `LeaseLost` when the lease is lost. */
  watch(db: Db, run: LeasedRun): Disposable & { readonly signal: AbortSignal } {
    const controller = new AbortController();
    const active: ActiveRun = { attempt: run.attempt, controller, preview: undefined };
    this.#runs.set(run.id, active);
    const ended = new AbortController();
    const check = async (): Promise<void> => {
      const { preview } = active;
      if (preview?.hasGrown() === true && (await savePreview(db, run, preview))) return;
      const held = await db.selectFrom('runs').select('id').where(isHeld(run)).executeTakeFirst();
      if (held === undefined) controller.abort(new LeaseLost(run.id));
    };
    // Ignore errors: the next write fails with them too.
    void every(pollMs, ended.signal, check, () => undefined);
    return {
      signal: controller.signal,
      [Symbol.dispose]: () => {
        ended.abort();
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
