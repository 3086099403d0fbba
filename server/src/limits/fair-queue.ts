import { Problem } from '../contract/problem.ts';
import type { FairLimit } from './fair-limit.ts';
import type { LoopTime } from './loop-time.ts';

interface Waiting {
  readonly callerId: string;
  /** Returns true if the client's connection is closed. */
  readonly hasLeft: () => boolean;
  readonly untilMs: number;
  readonly begin: () => void;
  readonly reject: (reason: Problem) => void;
}

// After the queue has begun work for 2 ms, the event loop serves other events: until it is idle, or for 5 ms. One
// iteration would not be enough, because it accepts only one connection.
const beginForMs = 2;
const yieldForMs = 5;
const idleTurnMs = 0.05;

/**
 * Runs work up to a limit, and lets other work wait. The caller that has used the event loop least in the last second
 * is first. A caller that has used a quarter of that second waits while a caller below its quarter has running work.
 *
 * Work begins after the event loop has read the requests that have arrived. Short work begins together, so that several
 * requests can share a statement (`tasks/find-task`, `tasks/create`).
 */
export class FairQueue {
  readonly #running: FairLimit;
  readonly #loopTime: LoopTime;
  readonly #waitMs: number;
  /** By caller, in the order of arrival. */
  readonly #waiting = new Map<string, Waiting[]>();
  #isBeginScheduled = false;
  #isCheckSet = false;

  /** `running` limits the requests that run. A request may wait for `waitMs` milliseconds. */
  constructor(running: FairLimit, loopTime: LoopTime, waitMs: number) {
    this.#running = running;
    this.#loopTime = loopTime;
    this.#waitMs = waitMs;
  }

  /**
   * Runs the work of a request. Work that uses the database counts as running until it ends. Rejects if the work cannot
   * begin in time, or if the client disconnects before it begins.
   */
  run<Result>(
    callerId: string,
    hasLeft: () => boolean,
    work: () => Promise<Result>,
    { usesDatabase = true, waitMs = this.#waitMs } = {},
  ): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const end = (): void => {
      if (usesDatabase) this.#running.release(callerId);
      this.#scheduleBegin();
    };
    const begin = (): void => {
      if (usesDatabase) this.#running.acquire(callerId);
      work().finally(end).then(resolve, reject);
    };
    const waiting = { callerId, hasLeft, untilMs: performance.now() + waitMs, begin, reject };
    const earlier = this.#waiting.get(callerId);
    if (earlier === undefined) this.#waiting.set(callerId, [waiting]);
    else earlier.push(waiting);
    this.#scheduleBegin();
    return promise;
  }

  /** Runs a piece of the work of a stream, however long it has to wait. Rejects if the stream ends first. */
  runPiece<Result>(callerId: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    return this.run(callerId, () => signal.aborted, work, { waitMs: Infinity });
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
    for (let next = this.#takeNext(); next !== undefined; next = this.#takeNext()) {
      if (next.hasLeft()) next.reject(clientLeft);
      else this.#loopTime.measure(next.callerId, next.begin);
      if (performance.now() >= endMs) {
        this.#isBeginScheduled = true;
        this.#yieldUntil(performance.now() + yieldForMs);
        break;
      }
    }
    if (this.#waiting.size === 0 || this.#isCheckSet) return;
    this.#isCheckSet = true;
    setTimeout(this.#checkWaiting, this.#waitMs / 20);
  };

  #yieldUntil(endMs: number): void {
    const startMs = performance.now();
    setImmediate(() => {
      const nowMs = performance.now();
      if (nowMs - startMs < idleTurnMs || nowMs >= endMs) this.#beginWaiting();
      else this.#yieldUntil(endMs);
    });
  }

  /** Takes the work that begins next out of the queue; undefined if all callers have to wait longer. */
  #takeNext(): Waiting | undefined {
    const { limit: loopTime } = this.#loopTime;
    let first: Waiting[] = [];
    let least = Infinity;
    for (const [callerId, waiting] of this.#waiting) {
      if (!this.#running.hasCapacity(callerId)) continue;
      const used = loopTime.inUseBy(callerId);
      if (used >= least) continue;
      first = waiting;
      least = used;
    }
    const isBelowShare = (callerId: string): boolean => loopTime.inUseBy(callerId) < loopTime.callerMax;
    if (least >= loopTime.callerMax && this.#running.callers().some(isBelowShare)) return undefined;
    const next = first.shift();
    if (next !== undefined && first.length === 0) this.#waiting.delete(next.callerId);
    return next;
  }

  /** Rejects work that has waited too long, and begins work of callers that are below their share again. */
  readonly #checkWaiting = (): void => {
    this.#isCheckSet = false;
    const nowMs = performance.now();
    for (const [callerId, waiting] of this.#waiting) {
      const inTime = waiting.filter(({ untilMs }) => untilMs > nowMs);
      if (inTime.length === 0) this.#waiting.delete(callerId);
      else this.#waiting.set(callerId, inTime);
      for (const { untilMs, reject } of waiting) if (untilMs <= nowMs) reject(this.#running.rejection);
    }
    this.#scheduleBegin();
  };
}

const clientLeft = new Problem('Bad Request', 'The connection was closed before the request began.');
