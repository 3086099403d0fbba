import { FairLimit } from './fair-limit.ts';

interface FairQueueOptions {
  /** What the work of all callers holds while it runs. */
  readonly limit: FairLimit;
  /** How long work may wait until it begins. */
  readonly waitMs: number;
}

interface Waiting {
  readonly callerId: string;
  readonly begin: () => void;
}

// A caller may have a quarter of it waiting: more than a page asks for at once, and few enough to take little memory.
const waitingMax = 400;

/** Runs work as far as its limit allows. Other work waits in order, as long and as much as may wait. */
export class FairQueue {
  readonly #limit: FairLimit;
  readonly #waitMs: number;
  readonly #places: FairLimit;
  readonly #waiting: Waiting[] = [];

  constructor({ limit, waitMs }: FairQueueOptions) {
    this.#limit = limit;
    this.#waitMs = waitMs;
    this.#places = new FairLimit(waitingMax, limit.rejection);
  }

  /** Does some work of a caller, or throws the rejection of the limit if it cannot begin in time. */
  async run<Result>(callerId: string, work: () => Promise<Result>): Promise<Result> {
    if (!this.#limit.tryAcquire(callerId)) await this.#places.run(callerId, () => this.#wait(callerId));
    try {
      return await work();
    } finally {
      this.#limit.release(callerId);
      this.#beginNext();
    }
  }

  #wait(callerId: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting = {
        callerId,
        begin: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(this.#limit.rejection);
      }, this.#waitMs);
      this.#waiting.push(waiting);
    });
  }

  /** Begins the first work whose caller has room. */
  #beginNext(): void {
    const index = this.#waiting.findIndex(({ callerId }) => this.#limit.tryAcquire(callerId));
    if (index !== -1) this.#waiting.splice(index, 1)[0]?.begin();
  }
}
