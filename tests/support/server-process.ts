import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const cli = join(root, 'server/src/cli.ts');

export interface RunningProcess {
  readonly url: string;
  readonly pid: number;
  /** The token that the server printed when it started. */
  readonly token: string | undefined;
  readonly output: () => string;
  /** Sends a signal and resolves to the exit code, or null when the signal killed the process. */
  stop(signal: NodeJS.Signals): Promise<number | null>;
}

export type Environment = Readonly<Record<string, string>>;

/** Starts a command of the server. */
export function spawnCli(args: readonly string[], env: Environment): ChildProcess {
  return spawnProgram(process.execPath, [cli, ...args], env);
}

/** Starts a program whose environment is PATH and the given variables. */
export function spawnProgram(program: string, args: readonly string[], env: Environment): ChildProcess {
  return spawn(program, args, {
    cwd: root,
    detached: program === 'npm',
    env: { PATH: process.env['PATH'] ?? '', ...env },
  });
}

/** Waits until the server in a process has printed its address. */
export async function untilReady(child: ChildProcess): Promise<RunningProcess> {
  let output = '';
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      // The server prints a blank line after its address and token.
      const [, found] = /ready at (http:\S+) .*\n\n/s.exec(output) ?? [];
      if (found !== undefined) resolve(found);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    void exited.then((code) => {
      reject(new Error(`The server ended with ${String(code)}: ${output}`));
    });
  });
  return {
    url,
    // A process that prints something has started.
    pid: child.pid ?? 0,
    token: /Bearer (\S+?)'/.exec(output)?.[1],
    output: () => output,
    stop: (signal) => {
      child.kill(signal);
      return exited;
    },
  };
}
