import { Problem } from '../contract/problem.ts';
import type { FairLimit } from './fair-limit.ts';
import type { Turn } from '../contract/operation.ts';
import type { LoopTime } from './loop-time.ts';

interface FairQueueOptions {
  /** Limits the requests that run. */
  readonly running: FairLimit;
  readonly loopTime: LoopTime;
  /** How long a request may wait for its turn. */
  readonly waitMs: number;
}

interface Client {
  /** Returns true if the client's connection is closed. It is asked when its work could begin. */
  readonly hasLeft: () => boolean;
}

interface Waiting {
  readonly client: Client;
  readonly untilMs: number;
  readonly begin: () => void;
  readonly reject: (reason: Problem) => void;
}

// After 2 ms, further work begins when the event loop has nothing else to do, or after 5 ms. One turn of the loop would
// not be enough: it accepts only one connection.
const beginForMs = 2;
const yieldForMs = 5;
const idleTurnMs = 0.05;

/**
 * Runs work up to a limit. Other work waits. The caller that has used the event loop least in the last second is first.
 * A caller that has used a quarter of that second waits while a caller below its quarter has running work.
 *
 * Work begins after the event loop has read the requests that have arrived. Short work begins together, so that its
 * statements can be one (`tasks/find-task`, `tasks/create`).
 */
export class FairQueue {
  readonly #running: FairLimit;
  readonly #loopTime: LoopTime;
  readonly #waitMs: number;
  /** By caller, in the order of arrival. */
  readonly #waiting = new Map<string, Waiting[]>();
  #isBeginScheduled = false;
  #isCheckSet = false;
  #isClosed = false;

  constructor({ running, loopTime, waitMs }: FairQueueOptions) {
    this.#running = running;
    this.#loopTime = loopTime;
    this.#waitMs = waitMs;
  }

  /** Runs the work of a request. Rejects if it cannot begin in time, or if the client disconnects before it begins. */
  run<Result>(callerId: string, client: Client, work: (turn: Turn) => Promise<Result>): Promise<Result> {
    return this.#run(callerId, client, this.#waitMs, work);
  }

  /**
   * Runs a piece of the work of a stream, however long it has to wait. Resolves to undefined if the stream ends first.
   */
  runPiece<Result>(
    callerId: string,
    signal: AbortSignal,
    work: () => Promise<Result>,
  ): Promise<Result | undefined> {
    const client = { hasLeft: () => signal.aborted };
    return this.#run(callerId, client, Infinity, work).catch((error: unknown) => {
      if (signal.aborted) return undefined;
      throw error;
    });
  }

  /** Rejects all waiting work, and later work that would have to wait. */
  readonly close = (): void => {
    this.#isClosed = true;
    this.#scheduleBegin();
  };

  #run<Result>(
    callerId: string,
    client: Client,
    waitMs: number,
    work: (turn: Turn) => Promise<Result>,
  ): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    let isRunning = false;
    const enter = (): void => {
      isRunning = true;
      this.#running.acquire(callerId);
    };
    const leave = (): void => {
      if (!isRunning) return;
      isRunning = false;
      this.#running.release(callerId);
      this.#scheduleBegin();
    };
    const wait = (begin: () => void, onReject: (reason: Problem) => void): void => {
      this.#wait(callerId, { client, untilMs: performance.now() + waitMs, begin, reject: onReject });
    };
    const outside: Turn['outside'] = async (waitElsewhere) => {
      leave();
      const result = await waitElsewhere();
      await new Promise<void>((resume, refuse) => {
        wait(() => {
          enter();
          resume();
        }, refuse);
      });
      return result;
    };
    const begin = (): void => {
      enter();
      work({ outside }).finally(leave).then(resolve, reject);
    };
    wait(begin, reject);
    return promise;
  }

  #wait(callerId: string, waiting: Waiting): void {
    const earlier = this.#waiting.get(callerId);
    if (earlier === undefined) this.#waiting.set(callerId, [waiting]);
    else earlier.push(waiting);
    this.#scheduleBegin();
  }

  #scheduleBegin(): void {
    if (this.#isBeginScheduled || this.#waiting.size === 0) return;
    this.#isBeginScheduled = true;
    setImmediate(this.#beginWaiting);
  }

  /** Begins what may begin. If that takes long, the rest begins in the next turn of the event loop. */
  readonly #beginWaiting = (): void => {
    this.#isBeginScheduled = false;
    const endMs = performance.now() + beginForMs;
    for (let callerId = this.#next(); callerId !== undefined; callerId = this.#next()) {
      const { client, begin, reject } = this.#shift(callerId);
      if (client.hasLeft()) reject(clientLeft);
      else this.#loopTime.measure(callerId, begin);
      if (performance.now() >= endMs) {
        this.#isBeginScheduled = true;
        this.#yieldUntil(performance.now() + yieldForMs);
        break;
      }
    }
    if (this.#isClosed) this.#rejectUntil(Infinity);
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

  /** The caller whose work begins next; undefined if all callers have to wait longer. */
  #next(): string | undefined {
    let first: string | undefined;
    let least = Infinity;
    for (const callerId of this.#waiting.keys()) {
      if (!this.#running.hasRoom(callerId)) continue;
      const used = this.#loopTime.limit.heldBy(callerId);
      if (used >= least) continue;
      first = callerId;
      least = used;
    }
    const mustWait = first !== undefined && this.#loopTime.isAboveShare(first) && this.#servesOthers();
    return mustWait ? undefined : first;
  }

  /** Returns true if a caller below its share of the event loop has running work. */
  #servesOthers(): boolean {
    return this.#running.holders().some((callerId) => !this.#loopTime.isAboveShare(callerId));
  }

  #shift(callerId: string): Waiting {
    const waiting = this.#waiting.get(callerId) ?? [];
    const first = waiting.shift();
    if (waiting.length === 0) this.#waiting.delete(callerId);
    if (first === undefined) throw new Error('A caller without waiting work is not in the queue.');
    return first;
  }

  /** Rejects work that has waited too long. Callers that were above their share may be below it by now. */
  readonly #checkWaiting = (): void => {
    this.#isCheckSet = false;
    this.#rejectUntil(performance.now());
    this.#scheduleBegin();
  };

  #rejectUntil(ms: number): void {
    for (const [callerId, waiting] of this.#waiting) {
      const [tooLate, inTime] = [
        waiting.filter(({ untilMs }) => untilMs <= ms),
        waiting.filter(({ untilMs }) => untilMs > ms),
      ];
      if (inTime.length === 0) this.#waiting.delete(callerId);
      else this.#waiting.set(callerId, inTime);
      for (const { reject } of tooLate) reject(this.#running.rejection);
    }
  }
}

const clientLeft = new Problem('Bad Request', 'The connection was closed before the request began.');
