import { overloaded } from '../errors.ts';
import type { Job, Painted } from './paint/render.ts';

/** A picture that waits for a worker. */
export interface Waiting {
  readonly job: Job;
  readonly resolve: (painted: Painted) => void;
  readonly reject: (reason: Error) => void;
}

const usualPixels = 800 * 600;

/** A FIFO queue whose limit is measured in work, so that the wait is bounded in time. */
export class RenderQueue {
  readonly #limit: number;
  readonly #waiting: Waiting[] = [];
  #work = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Whether there is no room for the smallest picture. */
  isFull(): boolean {
    return !this.#hasRoomFor(1);
  }

  /** Throws `Overloaded` when the queue is full. An empty queue accepts a picture of any size. */
  add(waiting: Waiting): void {
    const work = workOf(waiting.job);
    if (!this.#hasRoomFor(work)) throw overloaded;
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

  #hasRoomFor(work: number): boolean {
    return this.#waiting.length === 0 || this.#work + work <= this.#limit;
  }
}

/** The cost as a number of pictures of 800 by 600 pixels. Only the cost of PNG grows with the area. */
function workOf({ format, scene }: Job): number {
  return format === 'png' ? Math.max(1, (scene.width * scene.height * scene.scale ** 2) / usualPixels) : 1;
}
