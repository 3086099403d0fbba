import { setImmediate } from 'node:timers/promises';
import { Problem } from '../errors.ts';
import type { FairLimit } from './fair-limit.ts';

interface FairQueueOptions {
  /** The limit that requests hold from their arrival to their end, so that only a bounded number waits. */
  readonly requests: FairLimit;
  /** The limit that work holds while it runs. */
  readonly running: FairLimit;
  /** How long a request may wait until it begins. */
  readonly waitMs: number;
}

interface Waiting {
  readonly callerId: string;
  readonly begin: () => void;
  readonly reject: (reason: Problem) => void;
}

interface Client {
  /** Aborts when the client leaves. Only work that waits reads it. */
  readonly disconnected: AbortSignal;
}

/**
 * Runs as much work as may run at once. Other work waits in order, and overtakes the work of callers whose share is
 * used up.
 */
export class FairQueue {
  readonly #requests: FairLimit;
  readonly #running: FairLimit;
  readonly #waitMs: number;
  readonly #waiting = new Set<Waiting>();
  #isClosed = false;

  constructor({ requests, running, waitMs }: FairQueueOptions) {
    this.#requests = requests;
    this.#running = running;
    this.#waitMs = waitMs;
  }

  /**
   * Does the work of a request. Throws a rejection at once if too many requests have arrived, and later if the work cannot
   * begin in time or the client leaves before it begins.
   */
  run<Result>(callerId: string, client: Client, work: () => Promise<Result>): Promise<Result> {
    return this.#requests.run(callerId, () => this.#runInTurn(callerId, client, this.#waitMs, work));
  }

  /**
   * Does a piece of the work of a stream, however long it has to wait. Resolves to undefined if the stream ends first.
   */
  runPiece<Result>(
    callerId: string,
    signal: AbortSignal,
    work: () => Promise<Result>,
  ): Promise<Result | undefined> {
    return this.#runInTurn(callerId, { disconnected: signal }, undefined, work).catch((error: unknown) => {
      if (error === clientLeft) return undefined;
      throw error;
    });
  }

  /** Rejects all work that waits, and further work that would have to wait. */
  readonly close = (): void => {
    this.#isClosed = true;
    for (const { reject } of this.#waiting) reject(this.#running.rejection);
  };

  /** Without `waitMs`, the work waits until the client leaves. */
  async #runInTurn<Result>(
    callerId: string,
    client: Client,
    waitMs: number | undefined,
    work: () => Promise<Result>,
  ): Promise<Result> {
    if (!this.#running.tryAcquire(callerId)) await this.#wait(callerId, client, waitMs);
    try {
      // The event loop reads other requests in between. Otherwise pieces of work without I/O would follow each other
      // without a pause.
      await setImmediate();
      return await work();
    } finally {
      this.#running.release(callerId);
      this.#beginNext();
    }
  }

  #wait(callerId: string, client: Client, waitMs: number | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const signal = client.disconnected;
      const end = (): void => {
        this.#waiting.delete(waiting);
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
      };
      const waiting: Waiting = {
        callerId,
        begin: () => {
          end();
          resolve();
        },
        reject: (reason) => {
          end();
          reject(reason);
        },
      };
      const onAbort = (): void => {
        waiting.reject(clientLeft);
      };
      const onTimeout = (): void => {
        waiting.reject(this.#running.rejection);
      };
      const timer = waitMs === undefined ? undefined : setTimeout(onTimeout, waitMs);
      signal.addEventListener('abort', onAbort);
      this.#waiting.add(waiting);
      if (signal.aborted) onAbort();
      if (this.#isClosed) onTimeout();
    });
  }

  /** Begins the first work whose caller has room. */
  #beginNext(): void {
    for (const { callerId, begin } of this.#waiting) {
      if (!this.#running.tryAcquire(callerId)) continue;
      begin();
      return;
    }
  }
}

const clientLeft = new Problem('Bad Request', 'The connection was closed before the request began.');
