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
  #child: ChildProcess | undefined;
  #answer: PromiseWithResolvers<Result> | undefined;
  #killReason: string | undefined;

  constructor() {
    this.ended = this.#run()
      .catch(String)
      .then((reason) => {
        this.#answer?.reject(new Error(`The render process has exited (${reason}).`));
        return reason;
      });
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get isIdle(): boolean {
    return this.#child?.connected === true && this.#answer === undefined;
  }

  /** Rejects if the process exits before it answers. A process that hangs is killed. */
  async paint(job: Job): Promise<Result> {
    this.#answer = Promise.withResolvers();
    this.#child?.send(job, () => undefined);
    using _limit = setTimeout(() => {
      this.#killReason = `painting took longer than ${answerMs / 1000} s`;
      this.#child?.kill('SIGKILL');
    }, answerMs);
    const result = await this.#answer.promise;
    this.#answer = undefined;
    return result;
  }

  /** Lets the process finish its job and exit. */
  disconnect(): void {
    if (this.#child?.connected === true) this.#child.disconnect();
  }

  /** Resolves to the reason for the exit. Rejects if the process cannot be started. */
  async #run(): Promise<string> {
    const child = fork(program, { serialization: 'advanced', execArgv: renderProcessOptions });
    this.#child = child;
    // The cast is safe, because the process sends one result for each job.
    child.on('message', (message) => this.#answer?.resolve(message as Result));
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
}
