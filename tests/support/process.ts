import type { ChildProcess } from 'node:child_process';
import { cleanUpAfter } from './cleanup.ts';
import { nodeOptions } from './node.ts';
import {
  cli,
  spawnCli,
  spawnProgram,
  untilReady,
  type Environment,
  type RunningProcess,
} from './server-process.ts';

export type { RunningProcess } from './server-process.ts';

/** Starts the server in a process of its own, and waits until it is ready. */
export function startProcess(env: Environment): Promise<RunningProcess> {
  return untilReady(killedAtEnd(spawnCli(['serve'], { PORT: '0', ...env })));
}

/** Starts a demo, and waits until it has printed the tokens of its users. */
export async function startDemo(env: Environment): Promise<RunningProcess & { token: string | undefined }> {
  const demo = await untilReady(killedAtEnd(spawnCli(['serve', '--demo'], { PORT: '0', ...env })));
  return { ...demo, token: /^ +alice +(\S+)$/m.exec(demo.output())?.[1] };
}

/** Starts the server with a terminal as its output. */
export function startOnTerminal(env: Environment): Promise<RunningProcess> {
  const command = [process.execPath, ...nodeOptions, cli, 'serve'].join(' ');
  const args = ['--quiet', '--flush', '--command', `exec ${command}`, '/dev/null'];
  return untilReady(killedAtEnd(spawnProgram('script', args, { PORT: '0', ...env })));
}

/** Starts the server by a command of bash. */
export function startByBash(command: string, env: Environment): Promise<RunningProcess> {
  return untilReady(killedAtEnd(spawnProgram('bash', ['-ec', command], env)));
}

/** Starts the server by `npm start`, which leads a process group. Signals go to npm alone or to the group. */
export function startByNpm(env: Environment, signalled: 'npm' | 'group'): Promise<RunningProcess> {
  const child = killedAtEnd(spawnProgram('npm', ['start'], { PORT: '0', ...env }));
  if (signalled === 'group') child.kill = (signal) => process.kill(-(child.pid ?? 0), signal);
  return untilReady(child);
}

/** A token for the user "me", signed with the local key that the server has created. */
export async function localToken(env: Environment): Promise<string> {
  const { code, output } = await runCli(['token', '--user', 'me'], env);
  if (code !== 0) throw new Error(output);
  return output.trim();
}

/** Runs a command to its end. */
export async function runCli(
  args: readonly string[],
  env: Environment = {},
): Promise<{ code: number | null; output: string }> {
  const child = killedAtEnd(spawnCli(args, env));
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, output };
}

function killedAtEnd(child: ChildProcess): ChildProcess {
  const closed = new Promise((resolve) => child.once('close', resolve));
  cleanUpAfter(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await closed;
  });
  return child;
}
