import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '../errors.ts';
import type { Job } from './paint/painter.ts';
import { startRenderProcess, type RenderProcess } from './render-process.ts';
import { RenderQueue, type Waiting } from './render-queue.ts';
import type { Scene } from './scene.ts';

export interface RenderPoolOptions {
  /** How many processes there are. */
  readonly workers: number;
  /** How many pictures of the usual size may wait for one. */
  readonly queueMax: number;
  /** Called with the reason when a process has ended by itself. */
  readonly onDeath: (reason: string) => void;
  /** Called once with each letter for which no font is installed. */
  readonly onMissing: (letters: string) => void;
}

const jobMs = 10_000;
const startMs = 30_000;
const restartPauseMs = 200;
const restartPauseMaxMs = 10_000;
// Fewer could be kills from outside, after which the next start goes well.
const failedStartsMax = 4;

/**
 * A fixed number of painter processes, a bounded queue before them, and a new process for each that dies. They start
 * with the first picture, as a server that draws none needs none.
 */
export class RenderPool {
  readonly #queue: RenderQueue;
  readonly #options: RenderPoolOptions;
  readonly #missing = new Set<string>();
  readonly #alive = new Set<RenderProcess>();
  readonly #ready = new Set<RenderProcess>();
  #idle: readonly RenderProcess[] = [];
  /** Why the last process did not get as far as painting; undefined once one did. */
  #failure: Error | undefined;
  #hasStarted = false;
  #isClosed = false;

  constructor(options: RenderPoolOptions) {
    this.#queue = new RenderQueue(options.queueMax);
    this.#options = options;
  }

  /** Throws a Problem when no picture can be taken, which spares its layout. */
  refuseWhenFull(): void {
    this.#queue.refuseWhenFull();
  }

  /** Paints a picture and returns it in base64. Throws a Problem when the queue is full or painting fails. */
  paint(format: Job['format'], scene: Scene): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#queue.add({ job: { format, scene }, resolve, reject });
      this.#startAll();
      this.#assign();
      if (this.#alive.size === 0) this.#refuseWaiting();
    });
  }

  /** How many pictures wait for a painter. */
  get waiting(): number {
    return this.#queue.length;
  }

  get pids(): readonly number[] {
    return [...this.#alive].flatMap(({ pid }) => pid ?? []);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const painter of this.#alive) painter.dismiss();
    await Promise.all([...this.#alive].map(({ ended }) => ended));
  }

  #startAll(): void {
    if (this.#hasStarted) return;
    this.#hasStarted = true;
    for (let i = 0; i < this.#options.workers; i++) void this.#keepOne();
  }

  /** Starts a process, and the next one when it ends; one that cannot even start is tried less and less often. */
  async #keepOne(): Promise<void> {
    let pauseMs = restartPauseMs;
    let failedStarts = 0;
    do {
      const painter = startRenderProcess();
      this.#alive.add(painter);
      const isReady = await startsInTime(painter);
      if (isReady) this.#welcome(painter);
      const reason = await painter.ended;
      this.#forget(painter);
      failedStarts = isReady ? 0 : failedStarts + 1;
      if (failedStarts >= failedStartsMax) this.#fail(reason);
      if (!this.#hasClosed()) this.#options.onDeath(reason);
      pauseMs = isReady ? restartPauseMs : Math.min(2 * pauseMs, restartPauseMaxMs);
      await sleep(pauseMs, undefined, { ref: false });
    } while (!this.#hasClosed());
  }

  #welcome(painter: RenderProcess): void {
    this.#failure = undefined;
    this.#ready.add(painter);
    this.#offer(painter);
  }

  #forget(painter: RenderProcess): void {
    this.#alive.delete(painter);
    this.#ready.delete(painter);
    this.#idle = this.#idle.filter((each) => each !== painter);
  }

  #fail(reason: string): void {
    this.#failure = new Error(`No painter process can start (${reason}).`);
    if (this.#ready.size === 0) this.#refuseWaiting();
  }

  /** Where no process can start, nobody is kept waiting for one. */
  #refuseWaiting(): void {
    const cause = this.#failure;
    if (cause === undefined) return;
    for (let each = this.#queue.take(); each !== undefined; each = this.#queue.take()) {
      each.reject(new Problem('RENDER_ERROR', undefined, { cause }));
    }
  }

  #hasClosed(): boolean {
    return this.#isClosed;
  }

  #offer(painter: RenderProcess): void {
    if (this.#alive.has(painter)) this.#idle = [...this.#idle, painter];
    this.#assign();
  }

  #assign(): void {
    const [painter, ...others] = this.#idle;
    const waiting = painter && this.#queue.take();
    if (painter === undefined || waiting === undefined) return;
    this.#idle = others;
    void this.#work(painter, waiting);
  }

  async #work(painter: RenderProcess, { job, resolve, reject }: Waiting): Promise<void> {
    const limit = setTimeout(() => {
      painter.kill();
    }, jobMs);
    try {
      const answer = await painter.paint(job);
      if ('failed' in answer)
        throw new Problem(answer.failed, undefined, { cause: new Error(answer.reason) });
      this.#report(answer.missing);
      resolve(answer.base64);
    } catch (error) {
      reject(error instanceof Problem ? error : new Problem('RENDER_ERROR', undefined, { cause: error }));
    } finally {
      clearTimeout(limit);
      this.#offer(painter);
    }
  }

  #report(missing: string): void {
    const letters = Array.from(missing).filter((letter) => !this.#missing.has(letter));
    for (const letter of letters) this.#missing.add(letter);
    if (letters.length > 0) this.#options.onMissing(letters.join(''));
  }
}

/** Resolves to whether the process gets as far as painting; one that hangs is killed. */
async function startsInTime(painter: RenderProcess): Promise<boolean> {
  const limit = setTimeout(() => {
    painter.kill();
  }, startMs);
  try {
    await painter.ready;
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(limit);
  }
}
