import { fork, type ChildProcess } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Job, Result } from './worker.ts';

// The program is TypeScript or JavaScript, like this file.
const program = fileURLToPath(new URL(`worker${extname(import.meta.filename)}`, import.meta.url));

/**
 * A small young generation, which V8 collects more often. Without this option, a render process takes over 1.5 times
 * the memory.
 */
export const renderProcessOptions = ['--max-semi-space-size=4'];

const answerMs = 30_000;

/** A process that renders one picture at a time, so that a crash in native drawing code does not end the server. */
export class RenderProcess {
  /** Resolves to the reason when the process has exited, or cannot be started. */
  readonly ended: Promise<string>;
  /** True from the first message to the exit. */
  isReady = false;
  #child: ChildProcess | undefined;
  #answer: PromiseWithResolvers<unknown> | undefined;
  #killReason: string | undefined;

  constructor() {
    this.ended = this.#run()
      .catch(String)
      .then((reason) => {
        this.isReady = false;
        this.#answer?.reject(new Error(`The render process has exited (${reason}).`));
        return reason;
      });
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get isIdle(): boolean {
    return this.isReady && this.#answer === undefined;
  }

  /** Resolves to true when the process has loaded its fonts, or to false if it exits before. */
  async start(): Promise<boolean> {
    this.isReady = await this.#nextAnswer('starting took longer').then(
      () => true,
      () => false,
    );
    return this.isReady;
  }

  /** Rejects if the process exits before it answers. */
  paint(job: Job): Promise<Result> {
    this.#child?.send(job, () => undefined);
    // The cast is safe, because the process sends one result for each job.
    return this.#nextAnswer('painting took longer') as Promise<Result>;
  }

  /** Lets the process finish its job and exit. */
  disconnect(): void {
    if (this.#child?.connected === true) this.#child.disconnect();
  }

  /** Resolves to the reason for the exit. Rejects if the process cannot be started. */
  async #run(): Promise<string> {
    const child = fork(program, { serialization: 'advanced', execArgv: renderProcessOptions });
    this.#child = child;
    child.on('message', (message) => this.#answer?.resolve(message));
    return new Promise((resolve, reject) => {
      child.once('exit', (code, signal) => {
        resolve(this.#killReason ?? (signal === null ? `exit code ${String(code)}` : `signal ${signal}`));
      });
      // Kill a process whose channel fails. A process that could not be spawned emits no exit.
      child.on('error', (error) => {
        child.kill('SIGKILL');
        reject(error);
      });
    });
  }

  /** The next message. A process that hangs is killed. */
  async #nextAnswer(late: string): Promise<unknown> {
    this.#answer = Promise.withResolvers();
    const limit = setTimeout(() => {
      this.#killReason = `${late} than ${answerMs / 1000} s`;
      this.#child?.kill('SIGKILL');
    }, answerMs);
    return this.#answer.promise.finally(() => {
      clearTimeout(limit);
      this.#answer = undefined;
    });
  }
}
