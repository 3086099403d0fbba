import { fork, type ChildProcess } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Job, Result } from './render.ts';

// The program is TypeScript or JavaScript, like this file.
const program = fileURLToPath(new URL(`worker${extname(import.meta.filename)}`, import.meta.url));

/**
 * A smaller young generation is collected more often. Without this option, a render process takes over 1.5 times the
 * memory.
 */
export const renderProcessOptions = ['--max-semi-space-size=4'];

const answerMs = 30_000;

/** A process that renders one picture at a time, so that a crash in native drawing code does not end the server. */
export class RenderProcess {
  /** Resolves to the reason when the process has exited. */
  readonly ended: Promise<string>;
  readonly #child: ChildProcess;
  #answer: PromiseWithResolvers<unknown> | undefined;
  #killReason: string | undefined;

  /** Throws some system errors, such as a lack of memory. Others end the process. */
  constructor() {
    this.#child = fork(program, { serialization: 'advanced', execArgv: renderProcessOptions });
    this.#child.on('message', (message) => this.#answer?.resolve(message));
    this.ended = new Promise((resolve) => {
      this.#child.once('exit', (code, signal) => {
        resolve(this.#killReason ?? (signal === null ? `exit code ${String(code)}` : `signal ${signal}`));
      });
      // Kill a process whose channel fails. A process that could not be spawned emits no exit.
      this.#child.on('error', (error) => {
        this.#child.kill('SIGKILL');
        resolve(error.message);
      });
    });
    void this.ended.then((reason) =>
      this.#answer?.reject(new Error(`The render process has exited (${reason}).`)),
    );
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Resolves when the process has loaded its fonts. Rejects if it exits before. */
  async start(): Promise<void> {
    await this.#nextAnswer('starting took longer');
  }

  /** Rejects if the process exits before it answers. */
  paint(job: Job): Promise<Result> {
    this.#child.send(job, () => undefined);
    // The process sends one result for each job.
    return this.#nextAnswer('painting took longer') as Promise<Result>;
  }

  /** Lets the process finish its job and exit. */
  disconnect(): void {
    if (this.#child.connected) this.#child.disconnect();
  }

  /** The next message. A process that hangs is killed. */
  async #nextAnswer(late: string): Promise<unknown> {
    this.#answer = Promise.withResolvers();
    const limit = setTimeout(() => {
      this.#killReason = `${late} than ${answerMs / 1000} s`;
      this.#child.kill('SIGKILL');
    }, answerMs);
    return this.#answer.promise.finally(() => {
      clearTimeout(limit);
    });
  }
}
