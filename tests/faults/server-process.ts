import { spawn, type ChildProcess } from 'node:child_process';
import { noLimits } from '../support/agents.ts';
import { Client } from '../support/client.ts';
import { cli, untilReady, type Environment, type RunningProcess } from '../support/server-process.ts';
import { secret, tokenFor } from '../support/tokens.ts';

const alive = new Set<ChildProcess>();

/** Kills the servers that still run. To be called when the harness exits. */
export function killRemaining(): void {
  for (const child of alive) child.kill('SIGKILL');
}

export interface ServerProcess extends RunningProcess, AsyncDisposable {
  readonly child: ChildProcess;
  /** The time from the start of the process to its first 200. */
  readonly readyMs: number;
  readonly clientFor: (user: string) => Promise<Client>;
}

/** Starts a server process and waits for its first response. */
export async function startServer(env: Environment, ...nodeArgs: string[]): Promise<ServerProcess> {
  const startedMs = performance.now();
  const child = spawnServer(env, nodeArgs);
  const server = await untilReady(child);
  const clientFor = async (user: string): Promise<Client> => new Client(server, await tokenFor(user));
  await (await clientFor('probe')).ok('listTasks');
  return {
    ...server,
    ...{ child, clientFor, readyMs: performance.now() - startedMs },
    [Symbol.asyncDispose]: async () => {
      await server.stop('SIGKILL');
    },
  };
}

/** Starts a server with a channel for the memory probe. */
function spawnServer(env: Environment, nodeArgs: readonly string[]): ChildProcess {
  const own = { PATH: process.env['PATH'] ?? '', PORT: '0', JWT_SECRET: secret, LOG_LEVEL: 'error' };
  const child = spawn(process.execPath, [...nodeArgs, cli, 'serve'], {
    env: { ...own, ...noLimits, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  alive.add(child);
  child.once('exit', () => alive.delete(child));
  return child;
}
