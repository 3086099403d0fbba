import type { FairLimit } from './fair-limit.ts';

/** After the queue has begun work for this time, the event loop serves other events. */
const beginForMs = 2;

/** The share of the event loop that one caller may use while others have running work. */
const callerShare = 1 / 4;
const callersMax = 10_000;

/**
 * Runs work up to a limit, and lets other work wait. A caller is busy for four times as long as its requests use the
 * event loop, and the caller that is busy for the shortest time is first. A caller that is busy for another second, so
 * has used a quarter of a second at once, waits while callers that are not have running work.
 *
 * Work begins after the event loop has read the requests that have arrived. Short work begins together, so that several
 * requests can share a statement (`tasks/find-task`, `tasks/create`).
 */
export class FairQueue {
  readonly #running: FairLimit;
  readonly #waitMs: number;
  /** The functions that begin work, with their callers, in the order of arrival. */
  readonly #waiting = new Map<() => void, string>();
  /** How long each caller is still busy, in milliseconds since the start of the process. */
  readonly #busyUntilMs = new Map<string, number>();
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
      clearInterval(timer);
      this.#waiting.delete(begin);
      this.#running.add(callerId, amount);
      work().finally(end).then(resolve, reject);
    };
    const untilMs = performance.now() + this.#waitMs;
    // Also tries to begin, because the caller may no longer be busy.
    const timer = setInterval(() => {
      this.#scheduleBegin();
      if (performance.now() < untilMs) return;
      clearInterval(timer);
      this.#waiting.delete(begin);
      reject(this.#running.rejection);
    }, this.#waitMs / 20);
    this.#waiting.set(begin, callerId);
    this.#scheduleBegin();
    return promise;
  }

  /** Runs synchronous work of a request: to parse, validate, plan or serialize. Its caller is busy for longer then. */
  measure<Result>(callerId: string, work: () => Result): Result {
    const startMs = performance.now();
    try {
      return work();
    } finally {
      const nowMs = performance.now();
      const fromMs = Math.max(this.#busyUntilMs.get(callerId) ?? 0, startMs);
      const untilMs = fromMs + (nowMs - startMs) / callerShare;
      if (this.#busyUntilMs.size >= callersMax) this.#busyUntilMs.clear();
      // At most two seconds, so that no caller has to wait for more than a second.
      this.#busyUntilMs.set(callerId, Math.min(untilMs, nowMs + 2000));
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
    const endMs = performance.now() + beginForMs;
    let next = this.#next();
    for (; next !== undefined && performance.now() < endMs; next = this.#next()) this.measure(...next);
    if (next !== undefined) this.#scheduleBegin();
  };

  /** The work that begins next, with its caller; undefined if all callers have to wait longer. */
  #next(): [callerId: string, begin: () => void] | undefined {
    const nowMs = performance.now();
    const busyMs = (callerId: string): number => (this.#busyUntilMs.get(callerId) ?? 0) - nowMs;
    let next: [string, () => void] | undefined;
    let leastMs = Infinity;
    for (const [begin, callerId] of this.#waiting) {
      if (busyMs(callerId) >= leastMs || !this.#running.hasCapacity(callerId)) continue;
      next = [callerId, begin];
      leastMs = busyMs(callerId);
      if (leastMs <= 0) break;
    }
    const mustWait = leastMs >= 1000 && this.#running.callers().some((callerId) => busyMs(callerId) < 1000);
    return mustWait ? undefined : next;
  }
}
