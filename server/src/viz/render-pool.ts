import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InvalidChart, withDefaults } from '@worktable/charts/svg';
import { Problem } from '../contract/problem.ts';
import type { FairLimit } from '../limits/fair-limit.ts';
import type { Job, Rendered, Result } from './worker.ts';

// The program is TypeScript or JavaScript, like this file.
const program = fileURLToPath(new URL(`worker${extname(import.meta.filename)}`, import.meta.url));

/**
 * A small young generation, which V8 collects more often. Without this option, a render process takes over 1.5 times
 * the memory.
 */
export const renderProcessOptions = ['--max-semi-space-size=4'];

/** The time in which a process must draw a picture. */
const answerMs = 30_000;
const usualPixels = 800 * 600;

/**
 * Draws pictures in a few processes, so that a crash in native drawing code does not end the server. A process starts
 * when a picture needs it, and then draws one picture after the other.
 */
export class RenderPool {
  /** Limits the pictures that wait or are being drawn, counted in pictures of 800 by 600 pixels. */
  readonly limit: FairLimit;
  readonly #onExit: (reason: string) => void;
  readonly #processes = new Set<ChildProcess>();
  /**
   * A place for each further picture that may be drawn now: a process, which may have exited, or undefined if none has
   * been started.
   */
  readonly #idle: (ChildProcess | undefined)[];
  /** Begins the pictures that wait. First in, first out: the limit bounds the waiting time. */
  readonly #waiting: ((idle: ChildProcess | undefined) => void)[] = [];

  /** Calls `onExit` with the reason when a process exits unexpectedly. */
  constructor(processes: number, limit: FairLimit, onExit: (reason: string) => void) {
    this.#idle = Array<undefined>(processes).fill(undefined);
    this.limit = limit;
    this.#onExit = onExit;
  }

  /** Draws a chart. Rejects with InvalidChart, or with a Problem if the limit is reached or drawing fails. */
  async paint(job: Job, callerId: string): Promise<Rendered> {
    const work = this.#workOf(job);
    if (!this.limit.hasCapacity(callerId, work)) throw this.limit.rejection;
    this.limit.add(callerId, work);
    try {
      const result = await this.#draw(job);
      if ('invalid' in result) throw new InvalidChart(result.invalid);
      if ('failed' in result)
        throw new Problem(result.failed, undefined, { cause: new Error(result.reason) });
      return result;
    } finally {
      this.limit.add(callerId, -work);
    }
  }

  get pids(): readonly number[] {
    return [...this.#processes].flatMap(({ pid }) => pid ?? []);
  }

  /** Lets each process finish its picture and exit. */
  async close(): Promise<void> {
    this.#waiting.length = 0;
    const exits = [...this.#processes].map((child) => new Promise((resolve) => child.once('exit', resolve)));
    for (const child of this.#processes) if (child.connected) child.disconnect();
    await Promise.all(exits);
  }

  /**
   * The cost in pictures of 800 by 600 pixels. It is at most the share of a caller, because a larger picture must not
   * keep others out.
   */
  #workOf({ format, request }: Job): number {
    // Only the cost of PNG grows with the area.
    if (format !== 'png') return 1;
    const { width, height, scale } = withDefaults(request);
    return Math.min(Math.ceil((width * height * scale ** 2) / usualPixels), this.limit.callerMax);
  }

  async #draw(job: Job): Promise<Result> {
    let child =
      this.#idle.length > 0
        ? this.#idle.pop()
        : await new Promise<ChildProcess | undefined>((resolve) => this.#waiting.push(resolve));
    try {
      if (child === undefined || !this.#processes.has(child)) child = this.#start();
      child.send(job, () => undefined);
      // Rejects if the process emits an error. The cast is safe, because the process sends one result for each job.
      const [result] = (await once(child, 'message', { signal: AbortSignal.timeout(answerMs) })) as [Result];
      return result;
    } catch (cause) {
      // A process that has not answered in time ends here; others have emitted this error.
      child?.emit('error', cause);
      throw new Problem('RENDER_ERROR', undefined, { cause });
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#idle.push(child);
      else next(child);
    }
  }

  #start(): ChildProcess {
    const child = fork(program, { serialization: 'advanced', execArgv: renderProcessOptions });
    this.#processes.add(child);
    child.once('exit', () => {
      if (child.exitCode !== 0) this.#onExit(reasonOf(child));
      // Rejects the picture that the process was drawing.
      child.emit('error', new Error(`The render process has exited (${reasonOf(child)}).`));
    });
    // A process that could not be spawned emits no exit, and a process whose channel failed is of no use.
    child.on('error', () => {
      this.#processes.delete(child);
      child.kill('SIGKILL');
    });
    return child;
  }
}

function reasonOf({ exitCode, signalCode }: ChildProcess): string {
  return signalCode === null ? `exit code ${exitCode}` : `signal ${signalCode}`;
}
