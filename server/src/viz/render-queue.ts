import { CallerAmounts } from '../caller-share.ts';
import { overloaded } from '../errors.ts';
import type { Job, Painted } from './paint/render.ts';

/** A picture that waits for a worker. */
export interface Waiting {
  readonly callerId: string;
  readonly job: Job;
  readonly resolve: (painted: Painted) => void;
  readonly reject: (reason: Error) => void;
}

const usualPixels = 800 * 600;

/**
 * A FIFO queue whose limit is measured in work, so that the wait is bounded in time. The pictures of one caller may fill
 * three quarters of it.
 */
export class RenderQueue {
  readonly #limit: number;
  readonly #callerMax: number;
  readonly #waiting: Waiting[] = [];
  readonly #work = new CallerAmounts();

  constructor(limit: number) {
    this.#limit = limit;
    this.#callerMax = Math.ceil(limit * 0.75);
  }

  /** Whether there is no room for the smallest picture, of this caller if one is given. */
  isFull(callerId?: string): boolean {
    return !this.#hasRoomFor(1, callerId);
  }

  /** Throws `Overloaded` when the queue is full. An empty queue accepts a picture of any size. */
  add(waiting: Waiting): void {
    const work = this.#workOf(waiting.job);
    if (!this.#hasRoomFor(work, waiting.callerId)) throw overloaded.CHART_QUEUE;
    this.#waiting.push(waiting);
    this.#work.add(waiting.callerId, work);
  }

  get work(): number {
    return this.#work.total;
  }

  take(): Waiting | undefined {
    const next = this.#waiting.shift();
    if (next !== undefined) this.#work.add(next.callerId, -this.#workOf(next.job));
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
    return Math.min(pictures, this.#callerMax);
  }

  #hasRoomFor(work: number, callerId?: string): boolean {
    if (this.#waiting.length === 0) return true;
    if (callerId !== undefined && this.#work.of(callerId) + work > this.#callerMax) return false;
    return this.#work.total + work <= this.#limit;
  }
}
