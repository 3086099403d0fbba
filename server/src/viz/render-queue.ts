import type { FairLimit } from '../limits/fair-limit.ts';
import type { Job, Painted } from './paint/render.ts';

/** A picture that waits for a worker. */
export interface Waiting {
  readonly callerId: string;
  readonly job: Job;
  readonly resolve: (painted: Painted) => void;
  readonly reject: (reason: Error) => void;
}

const usualPixels = 800 * 600;

/** A FIFO queue whose limit is measured in work, so that the wait is bounded in time. */
export class RenderQueue {
  readonly #limit: FairLimit;
  readonly #waiting: Waiting[] = [];

  constructor(limit: FairLimit) {
    this.#limit = limit;
  }

  /** Throws the rejection of the limit when the queue is full. */
  add(waiting: Waiting): void {
    if (!this.#limit.tryAcquire(waiting.callerId, this.#workOf(waiting.job))) throw this.#limit.rejection;
    this.#waiting.push(waiting);
  }

  take(): Waiting | undefined {
    const next = this.#waiting.shift();
    if (next !== undefined) this.#limit.release(next.callerId, this.#workOf(next.job));
    return next;
  }

  /**
   * The cost as a number of pictures of 800 by 600 pixels. A picture that is larger than a caller's share counts as that: it
   * must not keep the pictures of others out.
   */
  #workOf({ format, scene }: Job): number {
    // Only the cost of PNG grows with the area.
    if (format === 'pdf') return 1;
    const pictures = Math.ceil((scene.width * scene.height * scene.scale ** 2) / usualPixels);
    return Math.min(pictures, this.#limit.callerMax);
  }
}
