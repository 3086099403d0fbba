import { Problem } from '../errors.ts';
import type { Job } from './paint/render.ts';

/** A picture that waits for a worker. */
export interface Waiting {
  readonly job: Job;
  readonly resolve: (base64: string) => void;
  readonly reject: (reason: Error) => void;
}

const usualPixels = 800 * 600;
// Created once: capturing a stack trace for each rejection would cost more than the rest of it.
const queueFull = new Problem(
  'Overloaded',
  'More pictures wait to be painted than this server queues. Try again after the time in Retry-After.',
  { retryAfterS: 1 },
);

/** A FIFO queue whose limit is measured in work, so that the wait is bounded in time. */
export class RenderQueue {
  readonly #limit: number;
  readonly #waiting: Waiting[] = [];
  #work = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Throws a Problem when the queue has no room for the smallest picture. */
  refuseWhenFull(): void {
    if (this.#work + 1 > this.#limit && this.#waiting.length > 0) throw queueFull;
  }

  /** Throws a Problem when the queue is full. An empty queue accepts a picture of any size. */
  add(waiting: Waiting): void {
    const work = workOf(waiting.job);
    if (this.#work + work > this.#limit && this.#waiting.length > 0) throw queueFull;
    this.#waiting.push(waiting);
    this.#work += work;
  }

  get length(): number {
    return this.#waiting.length;
  }

  take(): Waiting | undefined {
    const next = this.#waiting.shift();
    if (next !== undefined) this.#work -= workOf(next.job);
    return next;
  }
}

/** The cost as a number of pictures of 800 by 600 pixels. Only the cost of PNG grows with the area. */
function workOf({ format, scene }: Job): number {
  return format === 'png' ? Math.max(1, (scene.width * scene.height) / usualPixels) : 1;
}
