import { setTimeout as pause } from 'node:timers/promises';
import { InvalidChart, withDefaults } from '@worktable/charts/svg';
import { Problem } from '../contract/problem.ts';
import type { FairLimit } from '../limits/fair-limit.ts';
import type { Job, Rendered } from './worker.ts';
import { RenderProcess } from './render-process.ts';

export interface RenderPoolOptions {
  /** The number of render processes. */
  readonly workers: number;
  /** Limits the pictures that wait for a process, counted in pictures of 800 by 600 pixels. */
  readonly waiting: FairLimit;
  /** Called with the reason when a process exits unexpectedly. */
  readonly onExit: (reason: string) => void;
  /** Called with characters that no installed font can draw: once for each, and for about a thousand in all. */
  readonly onMissing: (characters: string) => void;
}

/** A picture that waits for a process. */
interface Waiting {
  readonly callerId: string;
  readonly job: Job;
  readonly resolve: (rendered: Rendered) => void;
  readonly reject: (reason: Error) => void;
}

const usualPixels = 800 * 600;
const restartPauseMs = 200;
const restartPauseMaxMs = 10_000;
const reportedMax = 1000;
// Fewer failed starts in a row may be chance, for example if another program killed the process.
const failedStartsMax = 4;

/**
 * A fixed number of render processes behind a bounded queue. A process that exits is replaced. The processes start with
 * the first picture, because many servers never render one.
 */
export class RenderPool {
  readonly waiting: FairLimit;
  readonly #options: RenderPoolOptions;
  /** First in, first out. The limit is measured in work, which limits the waiting time. */
  readonly #queue: Waiting[] = [];
  readonly #missing = new Set<string>();
  readonly #processes = new Set<RenderProcess>();
  /** Why no process can start; undefined after a successful start. */
  #failure: Error | undefined;
  #hasStarted = false;
  #isClosed = false;

  constructor(options: RenderPoolOptions) {
    this.waiting = options.waiting;
    this.#options = options;
  }

  /** Draws a chart. Rejects with InvalidChart, or with a Problem if the queue is full or drawing fails. */
  paint(job: Job, callerId: string): Promise<Rendered> {
    return new Promise((resolve, reject) => {
      if (!this.waiting.tryAcquire(callerId, this.#workOf(job))) throw this.waiting.rejection;
      this.#queue.push({ callerId, job, resolve, reject });
      if (!this.#hasStarted && !this.#isClosed)
        for (let i = 0; i < this.#options.workers; i++) void this.#supervise();
      this.#hasStarted = true;
      this.#assign();
    });
  }

  get pids(): readonly number[] {
    return [...this.#processes].flatMap(({ pid }) => pid ?? []);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const each of this.#processes) each.disconnect();
    await Promise.all([...this.#processes].map(({ ended }) => ended));
  }

  /** Starts a process, and replaces it when it exits. The pause doubles after each failed start. */
  async #supervise(): Promise<void> {
    let failedStarts = 0;
    do {
      failedStarts += 1;
      const child = new RenderProcess();
      this.#processes.add(child);
      if (await child.start()) {
        failedStarts = 0;
        this.#failure = undefined;
        this.#assign();
      }
      const reason = await child.ended;
      this.#processes.delete(child);
      if (failedStarts >= failedStartsMax) {
        this.#failure = new Error(`No render process can start (${reason}).`);
        this.#assign();
      }
      if (!this.#isClosed) this.#options.onExit(reason);
      const pauseMs = Math.min(restartPauseMs * 2 ** failedStarts, restartPauseMaxMs);
      await pause(pauseMs, undefined, { ref: false });
    } while (!this.#isClosed);
  }

  /** Lets an idle process paint the next picture. If no process can start, rejects all pictures. */
  #assign(): void {
    const child = this.#processes.values().find(({ isIdle }) => isIdle);
    const cause = this.#failure;
    if (child !== undefined) {
      const waiting = this.#take();
      if (waiting !== undefined) void this.#work(child, waiting);
    } else if (cause !== undefined && this.#processes.values().every(({ isReady }) => !isReady)) {
      for (let each = this.#take(); each !== undefined; each = this.#take())
        each.reject(new Problem('RENDER_ERROR', undefined, { cause }));
    }
  }

  #take(): Waiting | undefined {
    const next = this.#queue.shift();
    if (next !== undefined) this.waiting.release(next.callerId, this.#workOf(next.job));
    return next;
  }

  /**
   * The cost in pictures of 800 by 600 pixels. It is at most the share of a caller, because a larger picture must not
   * keep others out.
   */
  #workOf({ format, request }: Job): number {
    // Only the cost of PNG grows with the area.
    if (format !== 'png') return 1;
    const { width, height, scale } = withDefaults(request);
    const pictures = Math.ceil((width * height * scale ** 2) / usualPixels);
    return Math.min(pictures, this.waiting.callerMax);
  }

  async #work(child: RenderProcess, { job, resolve, reject }: Waiting): Promise<void> {
    try {
      const result = await child.paint(job);
      if ('invalid' in result) throw new InvalidChart(result.invalid);
      if ('failed' in result)
        throw new Problem(result.failed, undefined, { cause: new Error(result.reason) });
      this.#reportMissing(result.missing);
      resolve(result);
    } catch (error) {
      const isKnown = error instanceof Problem || error instanceof InvalidChart;
      reject(isKnown ? error : new Problem('RENDER_ERROR', undefined, { cause: error }));
    } finally {
      this.#assign();
    }
  }

  #reportMissing(missing: string): void {
    if (this.#missing.size >= reportedMax) return;
    const characters = Array.from(missing).filter((each) => !this.#missing.has(each));
    for (const each of characters) this.#missing.add(each);
    if (characters.length > 0) this.#options.onMissing(characters.join(''));
  }
}
