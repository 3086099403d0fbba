import type { FairLimit } from './fair-limit.ts';

/** After the queue has begun work for this time, the event loop serves other events. */
const beginForMs = 2;

/** A caller's share of a second of the event loop. */
const shareMs = 250;

/**
 * Runs work up to a limit, and lets other work wait. The caller that has used the event loop least in the current
 * second is first. A caller that has used a quarter of the second waits while a caller below its quarter has running
 * work.
 *
 * Work begins after the event loop has read the requests that have arrived. Short work begins together, so that several
 * requests can share a statement (`tasks/find-task`, `tasks/create`).
 */
export class FairQueue {
  readonly #running: FairLimit;
  readonly #waitMs: number;
  /** The functions that begin work, with their callers, in the order of arrival. */
  readonly #waiting = new Map<() => void, string>();
  /** The time that the requests of each caller took from the event loop in the current second, in milliseconds. */
  readonly #usedMs = new Map<string, number>();
  #secondEndsMs = 0;
  #isBeginScheduled = false;

  /** `running` limits the requests that run. A request may wait for `waitMs` milliseconds. */
  constructor(running: FairLimit, waitMs: number) {
    this.#running = running;
    this.#waitMs = waitMs;
  }

  /**
   * Runs the work of a request, or of a stream. Work that uses the database counts as running until it ends. Rejects if
   * the work cannot begin in time.
   */
  run<Result>(callerId: string, work: () => Promise<Result>, { usesDatabase = true } = {}): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const amount = usesDatabase ? 1 : 0;
    const end = (): void => {
      this.#running.add(callerId, -amount);
      this.#scheduleBegin();
    };
    const begin = (): void => {
      clearTimeout(timer);
      this.#running.add(callerId, amount);
      work().finally(end).then(resolve, reject);
    };
    const timer = setTimeout(() => {
      this.#waiting.delete(begin);
      reject(this.#running.rejection);
    }, this.#waitMs);
    this.#waiting.set(begin, callerId);
    this.#scheduleBegin();
    return promise;
  }

  /** Runs synchronous work of a request: to parse, validate, plan or serialize. Counts its time. */
  measure<Result>(callerId: string, work: () => Result): Result {
    const startMs = performance.now();
    try {
      return work();
    } finally {
      const usedMs = this.#usedMs.get(callerId) ?? 0;
      this.#usedMs.set(callerId, usedMs + performance.now() - startMs);
    }
  }

  #scheduleBegin(): void {
    if (this.#isBeginScheduled || this.#waiting.size === 0) return;
    this.#isBeginScheduled = true;
    setImmediate(this.#beginWaiting);
  }

  /** Begins the work that may begin. If this takes long, the rest begins in a later iteration of the event loop. */
  readonly #beginWaiting = (): void => {
    this.#isBeginScheduled = false;
    const startMs = performance.now();
    if (startMs >= this.#secondEndsMs) {
      this.#usedMs.clear();
      this.#secondEndsMs = startMs + 1000;
    }
    let hasBegun: boolean;
    do hasBegun = this.#beginNext();
    while (hasBegun && performance.now() < startMs + beginForMs);
    if (hasBegun) this.#scheduleBegin();
  };

  /** Begins the work that is next. Returns false if all callers have to wait longer. */
  #beginNext(): boolean {
    let next: { readonly begin: () => void; readonly callerId: string } | undefined;
    let leastMs = Infinity;
    for (const [begin, callerId] of this.#waiting) {
      const usedMs = this.#usedMs.get(callerId) ?? 0;
      if (usedMs >= leastMs || !this.#running.hasCapacity(callerId)) continue;
      next = { begin, callerId };
      leastMs = usedMs;
    }
    const isBelowShare = (callerId: string): boolean => (this.#usedMs.get(callerId) ?? 0) < shareMs;
    const mustWait = leastMs >= shareMs && this.#running.callers().some(isBelowShare);
    if (next === undefined || mustWait) return false;
    this.#waiting.delete(next.begin);
    this.measure(next.callerId, next.begin);
    return true;
  }
}
