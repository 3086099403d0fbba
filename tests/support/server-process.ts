import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { compileCache, nodeOptions } from './node.ts';

const root = join(import.meta.dirname, '../..');
export const cli = join(root, 'server/src/cli.ts');

export interface RunningProcess {
  readonly url: string;
  readonly pid: number;
  readonly output: () => string;
  /** Resolves to the exit code; null if a signal killed the process. */
  readonly exited: Promise<number | null>;
  /** Sends a signal. Resolves to the exit code; null if the signal killed the process. */
  stop(signal: NodeJS.Signals): Promise<number | null>;
}

export type Environment = Readonly<Record<string, string>>;

/** Starts a command of the server. */
export function spawnCli(args: readonly string[], env: Environment): ChildProcess {
  return spawnProgram(process.execPath, [...nodeOptions, cli, ...args], env);
}

/** Starts a program. Its environment has PATH, the cache of modules and `env`. */
export function spawnProgram(program: string, args: readonly string[], env: Environment): ChildProcess {
  return spawn(program, args, {
    cwd: root,
    detached: program === 'npm',
    env: { PATH: process.env['PATH'] ?? '', NODE_COMPILE_CACHE: compileCache, ...env },
  });
}

/** Waits until a program has ended. Resolves to its exit code and its output. */
export async function endOf(child: ChildProcess): Promise<{ code: number | null; output: string }> {
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, output };
}

/**
 * Runs a command of the server, which must succeed. It has its own process, because the embedded database sets the
 * exit code of its process.
 */
export async function runCommand(name: 'migrate' | 'distribute', env: Environment): Promise<void> {
  const { code, output } = await endOf(spawnCli([name], env));
  if (code !== 0) throw new Error(`${name} ended with ${String(code)}: ${output}`);
}

/** Waits until the server in a process has printed its address. */
export async function untilReady(child: ChildProcess): Promise<RunningProcess> {
  let output = '';
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      const [, found] = /ready at (http:\S+?)\.? [^\n]*\n/.exec(output) ?? [];
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
    // The process has printed something, so it has a pid.
    pid: child.pid ?? 0,
    output: () => output,
    exited,
    stop: (signal) => {
      child.kill(signal);
      return exited;
    },
  };
}
