import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const root = join(import.meta.dirname, '../..');
const cli = join(root, 'server/src/cli.ts');
const started: ChildProcess[] = [];

afterAll(() => {
  for (const child of started.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null))
    child.kill('SIGKILL');
});

export interface RunningProcess {
  readonly url: string;
  readonly pid: number;
  /** The token that the start printed. */
  readonly token: string | undefined;
  readonly output: () => string;
  /** Sends a signal and resolves to the exit code, or null when the signal killed it. */
  stop(signal: NodeJS.Signals): Promise<number | null>;
}

type Environment = Readonly<Record<string, string>>;

/** Starts the server in a process of its own, and waits until it is ready. */
export function startProcess(env: Environment): Promise<RunningProcess> {
  return untilReady(spawnCli(['serve'], { PORT: '0', ...env }));
}

/** The same by `npm start`, whose process leads a group; its signals go to npm alone or to the group. */
export function startByNpm(env: Environment, signalled: 'npm' | 'group'): Promise<RunningProcess> {
  const child = spawned('npm', ['start'], { PORT: '0', ...env });
  if (signalled === 'group') child.kill = (signal) => process.kill(-(child.pid ?? 0), signal);
  return untilReady(child);
}

async function untilReady(child: ChildProcess): Promise<RunningProcess> {
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

/** Runs a command to its end. */
export async function runCli(
  args: readonly string[],
  env: Environment = {},
): Promise<{ code: number | null; output: string }> {
  const child = spawnCli(args, env);
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, output };
}

function spawnCli(args: readonly string[], env: Environment): ChildProcess {
  return spawned(process.execPath, [cli, ...args], env);
}

/** Only what a test sets reaches the process, and where to find programs. */
function spawned(program: string, args: readonly string[], env: Environment): ChildProcess {
  const child = spawn(program, args, {
    cwd: root,
    detached: program === 'npm',
    env: { PATH: process.env['PATH'] ?? '', ...env },
  });
  started.push(child);
  return child;
}
