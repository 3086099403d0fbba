import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const cli = join(import.meta.dirname, '../../server/src/cli.ts');
const started: ChildProcess[] = [];

afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
});

export interface RunningProcess {
  readonly url: string;
  /** The token that the start printed. */
  readonly token: string | undefined;
  readonly output: () => string;
  /** Sends a signal and resolves to the exit code, or null when the signal killed it. */
  stop(signal: NodeJS.Signals): Promise<number | null>;
}

/** Starts the server as a user does, in a process of its own, and waits until it is ready. */
export async function startProcess(env: Readonly<Record<string, string>>): Promise<RunningProcess> {
  const child = spawnCli(['serve'], { PORT: '0', ...env });
  let output = '';
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      // The blank line ends what is printed at the start.
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
    token: /Bearer (\S+?)'/.exec(output)?.[1],
    output: () => output,
    stop: (signal) => {
      child.kill(signal);
      return exited;
    },
  };
}

/** Runs a command to its end. */
export async function runCli(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ code: number | null; output: string }> {
  const child = spawnCli(args, env);
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, output };
}

/** Only what a test sets reaches the process, and where to find Node. */
function spawnCli(args: readonly string[], env: Readonly<Record<string, string>>): ChildProcess {
  const child = spawn(process.execPath, [cli, ...args], { env: { PATH: process.env['PATH'] ?? '', ...env } });
  started.push(child);
  return child;
}
