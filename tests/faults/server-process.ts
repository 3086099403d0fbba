import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { noLimits } from '../support/agents.ts';
import { Client } from '../support/client.ts';
import { secret, tokenFor } from '../support/tokens.ts';

const cli = join(import.meta.dirname, '../../server/src/cli.ts');
const alive = new Set<ChildProcess>();

/** Whatever ends the harness must not leave servers behind. */
export function killTheRest(): void {
  for (const child of alive) child.kill('SIGKILL');
}

export interface Ended {
  readonly code: number | null;
  readonly ms: number;
}

export interface ServerProcess extends AsyncDisposable {
  readonly url: string;
  readonly child: ChildProcess;
  readonly pid: number;
  /** From the start of the process to its first answer with 200. */
  readonly readyMs: number;
  /** The end of what it printed. */
  readonly output: () => string;
  readonly as: (user: string) => Promise<Client>;
  /** Sends a signal and resolves when the process has ended. */
  readonly stop: (signal: NodeJS.Signals) => Promise<Ended>;
}

interface ServerOptions {
  /** Options for Node itself. */
  readonly nodeArgs?: readonly string[];
}

/** Starts the server as a process of its own and waits for its first answer. */
export async function startServer(
  env: Readonly<Record<string, string>>,
  { nodeArgs = [] }: ServerOptions = {},
): Promise<ServerProcess> {
  const startedMs = performance.now();
  const { child, ended, output } = spawnCli(['serve'], env, nodeArgs);
  const url = await Promise.race([
    addressOf(child),
    ended.then((code) => Promise.reject(new Error(`The server ended with ${String(code)}: ${output()}`))),
  ]);
  const as = async (user: string): Promise<Client> => new Client(url, await tokenFor(user));
  await (await as('probe')).ok('listTasks');
  const stop = async (signal: NodeJS.Signals): Promise<Ended> => {
    const toldMs = performance.now();
    child.kill(signal);
    return { code: await ended, ms: performance.now() - toldMs };
  };
  return {
    ...{ url, child, output, as, stop, readyMs: performance.now() - startedMs },
    pid: pidOf(child),
    [Symbol.asyncDispose]: async () => {
      await stop('SIGKILL');
    },
  };
}

/** Runs a command of the server to its end. */
export async function runCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ code: number | null; output: string }> {
  const { closed, output } = spawnCli(args, env, []);
  return { code: await closed, output: output() };
}

interface Spawned {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  /** Later than `ended`: all is printed, also by the painters. */
  readonly closed: Promise<number | null>;
  readonly output: () => string;
}

function spawnCli(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  nodeArgs: readonly string[],
): Spawned {
  const child = spawn(process.execPath, [...nodeArgs, cli, ...args], {
    env: {
      PATH: process.env['PATH'] ?? '',
      ...{ PORT: '0', JWT_SECRET: secret, LOG_LEVEL: 'error' },
      ...noLimits,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  alive.add(child);
  let output = '';
  const read = (chunk: Buffer): void => {
    output = (output + chunk.toString()).slice(-20_000);
  };
  child.stdout?.on('data', read);
  child.stderr?.on('data', read);
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  void ended.then(() => alive.delete(child));
  return { child, ended, closed, output: () => output };
}

/** What the server prints when it listens. */
function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      if (text.length < 10_000) text += chunk.toString();
      const [, url] = /ready at (http:\S+) /.exec(text) ?? [];
      if (url !== undefined) resolve(url);
    });
  });
}

function pidOf({ pid }: ChildProcess): number {
  if (pid === undefined) throw new Error('The process could not be started.');
  return pid;
}
