import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { noLimits } from '../support/agents.ts';
import { Client } from '../support/client.ts';
import { cli, untilReady, type Environment, type RunningProcess } from '../support/server-process.ts';
import { secret, tokenFor } from '../support/tokens.ts';

const alive = new Set<ChildProcess>();

/** Kills the servers that still run when the harness exits. */
export function killRemaining(): void {
  for (const child of alive) child.kill('SIGKILL');
}

export interface ServerProcess extends RunningProcess, AsyncDisposable {
  readonly child: ChildProcess;
  /** The time from the start of the process to its first 200. */
  readonly readyMs: number;
  readonly clientFor: (user: string) => Promise<Client>;
}

interface ServerOptions {
  readonly nodeArgs?: readonly string[];
}

/** Starts a server process and waits for its first response. */
export async function startServer(
  env: Environment,
  { nodeArgs = [] }: ServerOptions = {},
): Promise<ServerProcess> {
  const startedMs = performance.now();
  const child = spawnCli(['serve'], env, nodeArgs);
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

/** Runs a command of the server and waits until it exits. */
export async function runCommand(
  args: readonly string[],
  env: Environment,
): Promise<{ code: number | null; output: string }> {
  const child = spawnCli(args, env);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  // The first argument of the event is the exit code.
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

/** Starts a command with a channel for the memory probe. */
function spawnCli(args: readonly string[], env: Environment, nodeArgs: readonly string[] = []): ChildProcess {
  const own = { PATH: process.env['PATH'] ?? '', PORT: '0', JWT_SECRET: secret, LOG_LEVEL: 'error' };
  const child = spawn(process.execPath, [...nodeArgs, cli, ...args], {
    env: { ...own, ...noLimits, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  alive.add(child);
  child.once('exit', () => alive.delete(child));
  return child;
}
