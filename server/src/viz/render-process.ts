import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Answer, Job } from './paint/painter.ts';

/** A process that paints one picture at a time. Drawing is native code, and its crash must not be the server's. */
export interface RenderProcess {
  readonly pid: number | undefined;
  /** Resolves when the fonts are loaded. */
  readonly ready: Promise<unknown>;
  /** Resolves when the process has ended, for whatever reason. */
  readonly ended: Promise<string>;
  /** Rejects when the process ends before it answers. */
  paint(job: Job): Promise<Answer>;
  /** Lets the process end after its job. */
  dismiss(): void;
  kill(): void;
}

const program = fileURLToPath(new URL('paint/worker.ts', import.meta.url));

/** For Node: what a picture leaves behind is collected early, else a painter takes over one and a half times the memory. */
export const painterOptions = ['--max-semi-space-size=4'];

export function startRenderProcess(): RenderProcess {
  const child = fork(program, { serialization: 'advanced', execArgv: painterOptions });
  const ended = endOf(child);
  let settle: PromiseWithResolvers<unknown> | undefined;
  child.on('message', (message) => settle?.resolve(message));
  void ended.then((reason) => settle?.reject(new Error(`The painter process has ended (${reason}).`)));
  // The program sends one "ready", and then one answer to each job.
  const next = <Message>(): Promise<Message> => {
    settle = Promise.withResolvers();
    return settle.promise as Promise<Message>;
  };
  return {
    pid: child.pid,
    ready: next(),
    ended,
    paint: (job) => {
      const answer = next<Answer>();
      child.send(job, () => undefined);
      return answer;
    },
    dismiss: () => {
      if (child.connected) child.disconnect();
    },
    kill: () => {
      child.kill('SIGKILL');
    },
  };
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      resolve(signal === null ? `exit code ${code ?? 'unknown'}` : `signal ${signal}`);
    });
    // A process that cannot be started or spoken to has no use; one that never started has no exit.
    child.on('error', (error) => {
      child.kill('SIGKILL');
      resolve(error.message);
    });
  });
}
