import { setImmediate } from 'node:timers/promises';
import { Problem } from '../errors.ts';
import type { FairLimit } from './fair-limit.ts';

interface FairQueueOptions {
  /** Limits the requests that have arrived and not ended, so that a bounded number waits. */
  readonly requests: FairLimit;
  /** Limits the requests that run. */
  readonly running: FairLimit;
  /** How long a request may wait for its turn. */
  readonly waitMs: number;
}

interface Waiting {
  readonly callerId: string;
  readonly begin: () => void;
  readonly reject: (reason: Problem) => void;
}

interface Client {
  /** Aborts when the client disconnects. It is read only when work has to wait. */
  readonly disconnected: AbortSignal;
}

/** Runs work up to a limit. Other work waits in order, but overtakes the work of callers whose share is used up. */
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
   * Runs the work of a request. Throws a rejection at once if too many requests have arrived; later if the work cannot
   * begin in time, or the client disconnects before it begins.
   */
  run<Result>(callerId: string, client: Client, work: () => Promise<Result>): Promise<Result> {
    return this.#requests.run(callerId, () => this.#runInTurn(callerId, client, this.#waitMs, work));
  }

  /**
   * Runs a piece of the work of a stream, however long it has to wait. Resolves to undefined if the stream ends first.
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

  /** Rejects all waiting work, and later work that would have to wait. */
  readonly close = (): void => {
    this.#isClosed = true;
    for (const { reject } of this.#waiting) reject(this.#running.rejection);
  };

  /** Without `waitMs`, the work waits until the client disconnects. */
  async #runInTurn<Result>(
    callerId: string,
    client: Client,
    waitMs: number | undefined,
    work: () => Promise<Result>,
  ): Promise<Result> {
    if (!this.#running.tryAcquire(callerId)) await this.#wait(callerId, client, waitMs);
    try {
      // Lets the event loop read other requests. Work without I/O would otherwise never pause.
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
