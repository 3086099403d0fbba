import { fork, type ChildProcess } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packRequest, type PackedRequest } from './packed-request.ts';
import type { Job, Result } from './render.ts';

/** A process that renders one picture at a time, so that a crash in native drawing code does not end the server. */
export interface RenderProcess {
  readonly pid: number | undefined;
  /** Resolves when the process has loaded its fonts. */
  readonly ready: Promise<unknown>;
  /** Resolves to the reason when the process has exited. */
  readonly ended: Promise<string>;
  /** Rejects if the process exits before it replies. */
  paint(job: Job): Promise<Result>;
  /** Lets the process finish its job and exit. */
  disconnect(): void;
  /** Kills the process. `ended` then resolves to this reason. */
  kill(reason: string): void;
}

/** A job as it is sent to the process. */
export interface SentJob {
  readonly format: Job['format'];
  readonly packed: PackedRequest;
}

// The program is TypeScript or JavaScript, like this file.
const program = fileURLToPath(new URL(`worker${extname(import.meta.filename)}`, import.meta.url));

/**
 * A smaller young generation is collected more often. Without this option, a render process takes over 1.5 times the
 * memory.
 */
export const renderProcessOptions = ['--max-semi-space-size=4'];

export function startRenderProcess(): RenderProcess {
  try {
    return connectedTo(fork(program, { serialization: 'advanced', execArgv: renderProcessOptions }));
  } catch (error) {
    // `fork` throws some system errors, such as a lack of memory, and emits others.
    return notStarted(`it cannot be started: ${String(error)}`);
  }
}

function connectedTo(child: ChildProcess): RenderProcess {
  let killReason: string | undefined;
  const ended = endOf(child).then((reason) => killReason ?? reason);
  let settle: PromiseWithResolvers<unknown> | undefined;
  child.on('message', (message) => settle?.resolve(message));
  void ended.then((reason) => settle?.reject(new Error(`The render process has exited (${reason}).`)));
  // The process sends "ready" once, then one result for each job.
  const next = <Message>(): Promise<Message> => {
    settle = Promise.withResolvers();
    return settle.promise as Promise<Message>;
  };
  return {
    pid: child.pid,
    ready: next(),
    ended,
    paint: ({ format, request }) => {
      const result = next<Result>();
      const job: SentJob = { format, packed: packRequest(request) };
      child.send(job, () => undefined);
      return result;
    },
    disconnect: () => {
      if (child.connected) child.disconnect();
    },
    kill: (reason) => {
      killReason = reason;
      child.kill('SIGKILL');
    },
  };
}

function notStarted(reason: string): RenderProcess {
  const failure = Promise.reject(new Error(reason));
  // The pool handles the rejection.
  failure.catch(() => undefined);
  return {
    pid: undefined,
    ready: failure,
    ended: Promise.resolve(reason),
    paint: () => failure,
    disconnect: () => undefined,
    kill: () => undefined,
  };
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      resolve(signal === null ? `exit code ${code ?? 'unknown'}` : `signal ${signal}`);
    });
    // Kill a process whose channel fails. A process that could not be spawned emits no exit.
    child.on('error', (error) => {
      child.kill('SIGKILL');
      resolve(error.message);
    });
  });
}
