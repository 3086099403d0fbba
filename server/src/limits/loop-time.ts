import { FairLimit } from './fair-limit.ts';

const windowMs = 1000;
const sliceMs = 100;

/**
 * The time that the requests of each caller took from the event loop in the last second: to parse, validate, plan and
 * serialize.
 */
export class LoopTime {
  /** In microseconds. No request is rejected: the queue only asks who has used a quarter of the last second. */
  readonly limit = new FairLimit(windowMs * 1000, 'http_event_loop_microseconds', {
    help: 'Time that requests took from the event loop in the last second.',
  });
  /** The time of each caller in the current tenth of a second. */
  #slice: Map<string, number> | undefined;

  /** Runs synchronous work and counts its time. */
  measure<Result>(callerId: string, work: () => Result): Result {
    const startMs = performance.now();
    try {
      return work();
    } finally {
      this.#add(callerId, performance.now() - startMs);
    }
  }

  #add(callerId: string, ms: number): void {
    // A whole number, because sums of whole numbers are exact.
    const microseconds = Math.ceil(ms * 1000);
    this.limit.acquire(callerId, microseconds);
    this.#slice ??= this.#openSlice();
    this.#slice.set(callerId, (this.#slice.get(callerId) ?? 0) + microseconds);
  }

  /** Many requests share a slice, because a timer for each request would cost more than measuring it. */
  #openSlice(): Map<string, number> {
    const slice = new Map<string, number>();
    setTimeout(() => {
      this.#slice = undefined;
    }, sliceMs).unref();
    setTimeout(() => {
      for (const [callerId, microseconds] of slice) this.limit.release(callerId, microseconds);
    }, windowMs).unref();
    return slice;
  }
}
