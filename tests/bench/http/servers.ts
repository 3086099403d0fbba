import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync, closeSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { secret } from '../../support/tokens.ts';

export interface RunningServer {
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
}

/** The variables that lead a server to its database. */
export type Surroundings = Readonly<Record<string, string>>;

const cli = fileURLToPath(new URL('../../../server/src/cli.ts', import.meta.url));

/** Our server by its command, with everything on and its log in a file. */
export async function startOurs(surroundings: Surroundings): Promise<RunningServer> {
  const folder = await mkdtemp(join(tmpdir(), 'worktable-bench-'));
  const logFile = join(folder, 'log');
  const log = openSync(logFile, 'w');
  const env = { ...environment(), DATA_DIR: folder, PORT: '0', JWT_SECRET: secret, ...surroundings };
  const child = spawn(process.execPath, [...nodeOptions(), cli, 'serve'], {
    env,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const stop = async (): Promise<void> => {
    await ended(child, () => child.kill('SIGTERM'));
    await rm(folder, { recursive: true, force: true });
  };
  return { ...running(child, await portOf(child, logFile)), stop };
}

/** A peer, which tells its port and ends when it is no longer listened to. */
export async function startPeer(
  file: string,
  args: string[],
  surroundings: Surroundings,
): Promise<RunningServer> {
  const program = fileURLToPath(new URL(`../peers/http/${file}.js`, import.meta.url));
  const child = fork(program, args, { execArgv: [], env: { ...environment(), ...surroundings } });
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', (told) => {
      resolve(Number(told));
    });
    child.once('exit', (code) => {
      reject(new Error(`${file} ended with ${String(code)}.`));
    });
  });
  const stop = (): Promise<void> =>
    ended(child, () => {
      child.disconnect();
    });
  return { ...running(child, port), stop };
}

/** What every server is told: where programs are, that this is no development, and our own default of connections. */
function environment(): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    NODE_ENV: 'production',
    DATABASE_POOL_SIZE: process.env['BENCH_POOL_SIZE'] ?? '10',
  };
}

/** Options for our server's Node, such as `--cpu-prof`. */
function nodeOptions(): string[] {
  return (process.env['BENCH_NODE_OPTIONS'] ?? '').split(' ').filter((option) => option !== '');
}

function running(child: ChildProcess, port: number): { pid: number; port: number } {
  return { pid: child.pid ?? 0, port };
}

async function portOf(child: ChildProcess, logFile: string): Promise<number> {
  while (child.exitCode === null && child.signalCode === null) {
    const [, port] = /ready at http:\/\/[\d.]+:(\d+)/.exec(await readFile(logFile, 'utf8')) ?? [];
    if (port !== undefined) return Number(port);
    await sleep(5);
  }
  throw new Error(
    `The server ended with ${String(child.exitCode ?? child.signalCode)}: ${await readFile(logFile, 'utf8')}`,
  );
}

async function ended(child: ChildProcess, end: () => void): Promise<void> {
  const exit = once(child, 'exit');
  end();
  await exit;
}
