import type { FairLimit } from './fair-limit.ts';

interface Waiting {
  readonly untilMs: number;
  readonly begin: () => void;
  readonly reject: (reason: unknown) => void;
}

// After the queue has begun work for 2 ms, the event loop serves other events, such as new connections.
const beginForMs = 2;

// Every tick forgets a fifth of the used time, so that the used time of a steady caller settles at what it uses in half
// a second. A caller's share is a quarter of half a second.
const tickMs = 100;
const keptShare = 0.8;
const shareMs = 125;
/** Smaller times are deleted. */
const leastMs = 0.01;

/**
 * Runs work up to a limit, and lets other work wait. The caller that has used the event loop least is first. A caller
 * that uses more than a quarter of the event loop waits while a caller below its quarter has running work.
 *
 * Work begins after the event loop has read the requests that have arrived. Short work begins together, so that several
 * requests can share a statement (`tasks/find-task`, `tasks/create`).
 */
export class FairQueue {
  readonly #running: FairLimit;
  readonly #waitMs: number;
  /** By caller, in the order of arrival. */
  readonly #waiting = new Map<string, Waiting[]>();
  /** The time that the requests of each caller took from the event loop lately, in milliseconds. */
  readonly #used = new Map<string, number>();
  #isBeginScheduled = false;
  #tickedMs = performance.now();

  /** `running` limits the requests that run. A request may wait for `waitMs` milliseconds. */
  constructor(running: FairLimit, waitMs: number) {
    this.#running = running;
    this.#waitMs = waitMs;
    setInterval(this.#tick, tickMs).unref();
  }

  /**
   * Runs the work of a request. Work that uses the database counts as running until it ends. Rejects if the work cannot
   * begin in time.
   */
  run<Result>(
    callerId: string,
    work: () => Promise<Result>,
    { usesDatabase = true, waitMs = this.#waitMs } = {},
  ): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const begin = (): void => {
      if (usesDatabase) this.#running.add(callerId, 1);
      const end = (): void => {
        if (usesDatabase) this.#running.add(callerId, -1);
        this.#scheduleBegin();
      };
      work().finally(end).then(resolve, reject);
    };
    const waiting = this.#waiting.get(callerId) ?? [];
    waiting.push({ untilMs: performance.now() + waitMs, begin, reject });
    this.#waiting.set(callerId, waiting);
    this.#scheduleBegin();
    return promise;
  }

  /** Runs synchronous work of a request: to parse, validate, plan or serialize. Counts its time. */
  measure<Result>(callerId: string, work: () => Result): Result {
    const startMs = performance.now();
    try {
      return work();
    } finally {
      this.#used.set(callerId, (this.#used.get(callerId) ?? 0) + performance.now() - startMs);
    }
  }

  #scheduleBegin(): void {
    if (this.#isBeginScheduled || this.#waiting.size === 0) return;
    this.#isBeginScheduled = true;
    setImmediate(this.#beginWaiting);
  }

  /** Begins the work that may begin. If this takes long, the rest begins in the next iteration of the event loop. */
  readonly #beginWaiting = (): void => {
    this.#isBeginScheduled = false;
    const endMs = performance.now() + beginForMs;
    for (let next = this.#takeNext(); next !== undefined; next = this.#takeNext()) {
      this.measure(...next);
      if (performance.now() < endMs) continue;
      this.#scheduleBegin();
      break;
    }
  };

  /** Takes the work that begins next out of the queue; undefined if all callers have to wait longer. */
  #takeNext(): [callerId: string, begin: () => void] | undefined {
    const usedBy = (each: string): number => this.#used.get(each) ?? 0;
    const isBelowShare = (each: string): boolean => usedBy(each) < shareMs;
    let callerId: string | undefined;
    for (const each of this.#waiting.keys()) {
      const isFirst = callerId === undefined || usedBy(each) < usedBy(callerId);
      if (isFirst && this.#running.hasCapacity(each)) callerId = each;
    }
    if (callerId === undefined) return undefined;
    if (!isBelowShare(callerId) && this.#running.callers().some(isBelowShare)) return undefined;
    const waiting = this.#waiting.get(callerId) ?? [];
    const next = waiting.shift();
    if (waiting.length === 0) this.#waiting.delete(callerId);
    return next && [callerId, next.begin];
  }

  /** Forgets a part of the used time, rejects work that has waited too long, and begins what may begin now. */
  readonly #tick = (): void => {
    const nowMs = performance.now();
    const kept = keptShare ** ((nowMs - this.#tickedMs) / tickMs);
    this.#tickedMs = nowMs;
    for (const [callerId, ms] of this.#used) {
      if (ms < leastMs) this.#used.delete(callerId);
      else this.#used.set(callerId, ms * kept);
    }
    for (const [callerId, waiting] of this.#waiting) {
      const inTime = waiting.filter(({ untilMs }) => untilMs > nowMs);
      if (inTime.length === 0) this.#waiting.delete(callerId);
      else this.#waiting.set(callerId, inTime);
      for (const { untilMs, reject } of waiting) if (untilMs <= nowMs) reject(this.#running.rejection);
    }
    this.#scheduleBegin();
  };
}
