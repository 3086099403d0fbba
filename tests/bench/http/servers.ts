import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync, closeSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { cli, type Environment } from '../../support/server-process.ts';
import { secret } from '../../support/tokens.ts';

/** A running server. It stops at the end of the block that has it. */
export interface RunningServer extends AsyncDisposable {
  readonly port: number;
  readonly pid: number;
}

/**
 * Starts our server with its default features and a log file. `databaseEnv` has the variables that configure its
 * database; without any, it is an empty embedded one.
 */
export async function startOurs(databaseEnv: Environment): Promise<RunningServer> {
  const folder = await mkdtemp(join(tmpdir(), 'worktable-bench-'));
  const logFile = join(folder, 'log');
  const log = openSync(logFile, 'w');
  const env = { ...baseEnvironment(), DATA_DIR: folder, PORT: '0', JWT_SECRET: secret, ...databaseEnv };
  const child = spawn(process.execPath, [...nodeOptions(), cli, 'serve'], {
    env,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const port = await portOf(child, logFile);
  return running(child, port, folder, () => child.kill('SIGTERM'));
}

/** Starts a peer. It sends its port, and exits when the channel is closed. */
export async function startPeer(file: string, env: Environment): Promise<RunningServer> {
  const program = fileURLToPath(new URL(`../peers/http/${file}.js`, import.meta.url));
  const folder = await mkdtemp(join(tmpdir(), 'worktable-bench-'));
  const settings = { JWT_SECRET: secret, LOG_FILE: join(folder, 'log') };
  const child = fork(program, { execArgv: [], env: { ...baseEnvironment(), ...settings, ...env } });
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', (port) => {
      resolve(Number(port));
    });
    child.once('exit', (code) => {
      reject(new Error(`${file} exited with ${String(code)}.`));
    });
  });
  return running(child, port, folder, () => {
    child.disconnect();
  });
}

/** Variables for every server. All have the same pool size, so that they can be compared. */
function baseEnvironment(): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    NODE_ENV: 'production',
    DATABASE_POOL_SIZE: process.env['BENCH_POOL_SIZE'] ?? '10',
  };
}

/** Node options of our server, such as `--cpu-prof`. */
function nodeOptions(): string[] {
  return (process.env['BENCH_NODE_OPTIONS'] ?? '').split(' ').filter((option) => option !== '');
}

async function portOf(child: ChildProcess, logFile: string): Promise<number> {
  while (child.exitCode === null && child.signalCode === null) {
    const [, port] = /ready at http:\/\/[\d.]+:(\d+)/.exec(await readFile(logFile, 'utf8')) ?? [];
    if (port !== undefined) return Number(port);
    await sleep(5);
  }
  throw new Error(
    `The server exited with ${String(child.exitCode ?? child.signalCode)}: ${await readFile(logFile, 'utf8')}`,
  );
}

function running(child: ChildProcess, port: number, folder: string, end: () => void): RunningServer {
  const stop = async (): Promise<void> => {
    const exit = once(child, 'exit');
    end();
    await exit;
    await rm(folder, { recursive: true, force: true });
  };
  return { port, pid: child.pid ?? 0, [Symbol.asyncDispose]: stop };
}
