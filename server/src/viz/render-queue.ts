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
  readonly #waiting: Waiting[] = [];
  readonly #workOfCallers = new Map<string, number>();
  #work = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Whether there is no room for the smallest picture, of this caller if one is given. */
  isFull(callerId?: string): boolean {
    return !this.#hasRoomFor(1, callerId);
  }

  /** Throws `Overloaded` when the queue is full. An empty queue accepts a picture of any size. */
  add(waiting: Waiting): void {
    const work = workOf(waiting.job);
    if (!this.#hasRoomFor(work, waiting.callerId)) throw overloaded;
    this.#waiting.push(waiting);
    this.#count(waiting, work);
  }

  get length(): number {
    return this.#waiting.length;
  }

  take(): Waiting | undefined {
    const next = this.#waiting.shift();
    if (next !== undefined) this.#count(next, -workOf(next.job));
    return next;
  }

  #count({ callerId }: Waiting, work: number): void {
    this.#work += work;
    this.#workOfCallers.set(callerId, this.#workOf(callerId) + work);
    if (this.#waiting.length === 0) this.#workOfCallers.clear();
  }

  #workOf(callerId: string): number {
    return this.#workOfCallers.get(callerId) ?? 0;
  }

  #hasRoomFor(work: number, callerId?: string): boolean {
    if (this.#waiting.length === 0) return true;
    const callerMax = Math.ceil(this.#limit * 0.75);
    if (callerId !== undefined && this.#workOf(callerId) + work > callerMax) return false;
    return this.#work + work <= this.#limit;
  }
}

/** The cost as a number of pictures of 800 by 600 pixels. Only the cost of PNG grows with the area. */
function workOf({ format, scene }: Job): number {
  return format === 'png' ? Math.max(1, (scene.width * scene.height * scene.scale ** 2) / usualPixels) : 1;
}
