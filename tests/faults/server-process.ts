import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { noLimits } from '../support/agents.ts';
import { Client } from '../support/client.ts';
import { secret, tokenFor } from '../support/tokens.ts';

const cli = join(import.meta.dirname, '../../server/src/cli.ts');
const alive = new Set<ChildProcess>();

/** Kills the servers that still run when the harness exits. */
export function killRemaining(): void {
  for (const child of alive) child.kill('SIGKILL');
}

export interface Exit {
  readonly code: number | null;
  readonly ms: number;
}

export interface ServerProcess extends AsyncDisposable {
  readonly url: string;
  readonly child: ChildProcess;
  readonly pid: number;
  /** From the start of the process to its first 200. */
  readonly readyMs: number;
  /** The last 20,000 characters of its output. */
  readonly output: () => string;
  readonly clientFor: (user: string) => Promise<Client>;
  /** Sends a signal and resolves when the process has exited. */
  readonly stop: (signal: NodeJS.Signals) => Promise<Exit>;
}

interface ServerOptions {
  readonly nodeArgs?: readonly string[];
}

/** Starts a server process and waits for its first response. */
export async function startServer(
  env: Readonly<Record<string, string>>,
  { nodeArgs = [] }: ServerOptions = {},
): Promise<ServerProcess> {
  const startedMs = performance.now();
  const { child, exited, output } = spawnCli(['serve'], env, nodeArgs);
  const url = await Promise.race([
    addressOf(child),
    exited.then((code) => Promise.reject(new Error(`The server exited with ${String(code)}: ${output()}`))),
  ]);
  const clientFor = async (user: string): Promise<Client> => new Client({ url }, await tokenFor(user));
  await (await clientFor('probe')).ok('listTasks');
  const stop = async (signal: NodeJS.Signals): Promise<Exit> => {
    const signalledMs = performance.now();
    child.kill(signal);
    return { code: await exited, ms: performance.now() - signalledMs };
  };
  return {
    ...{ url, child, output, clientFor, stop, readyMs: performance.now() - startedMs },
    pid: pidOf(child),
    [Symbol.asyncDispose]: async () => {
      await stop('SIGKILL');
    },
  };
}

/** Runs a command of the server and waits until it exits. */
export async function runCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ code: number | null; output: string }> {
  const { closed, output } = spawnCli(args, env, []);
  return { code: await closed, output: output() };
}

interface Spawned {
  readonly child: ChildProcess;
  readonly exited: Promise<number | null>;
  /** Resolves after `exited`, when the render processes have closed the output too. */
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
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  void exited.then(() => alive.delete(child));
  return { child, exited, closed, output: () => output };
}

/** The address that the server prints when it is ready. */
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
