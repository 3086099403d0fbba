import { FairLimit } from './fair-limit.ts';

interface FairQueueOptions {
  /** The limit of running work. */
  readonly running: FairLimit;
  /** The limit of running and waiting work. */
  readonly arrived: FairLimit;
  /** How long work may wait until it begins. */
  readonly waitMs: number;
}

interface Waiting {
  readonly callerId: string;
  readonly begin: () => void;
}

/** Runs as much work as the limit allows. Other work waits in order, and overtakes callers whose share is used up. */
export class FairQueue {
  readonly #running: FairLimit;
  readonly #arrived: FairLimit;
  readonly #waitMs: number;
  readonly #waiting: Waiting[] = [];

  constructor({ running, arrived, waitMs }: FairQueueOptions) {
    this.#running = running;
    this.#arrived = arrived;
    this.#waitMs = waitMs;
  }

  /** Runs work of a caller. Rejects at once if too much work has arrived, or after `waitMs` if the work cannot begin. */
  run<Result>(callerId: string, work: () => Promise<Result>): Promise<Result> {
    return this.#arrived.run(callerId, async () => {
      if (!this.#running.tryAcquire(callerId)) await this.#wait(callerId);
      try {
        return await work();
      } finally {
        this.#running.release(callerId);
        this.#beginNext();
      }
    });
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
        reject(this.#running.rejection);
      }, this.#waitMs);
      this.#waiting.push(waiting);
    });
  }

  /** Begins the first work whose caller has room. */
  #beginNext(): void {
    const index = this.#waiting.findIndex(({ callerId }) => this.#running.tryAcquire(callerId));
    if (index !== -1) this.#waiting.splice(index, 1)[0]?.begin();
  }
}
