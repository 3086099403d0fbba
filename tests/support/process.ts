import type { ChildProcess } from 'node:child_process';
import { cleanUpAfter } from './cleanup.ts';
import { Client } from './client.ts';
import { nodeOptions } from './node.ts';
import {
  cli,
  endOf,
  spawnCli,
  spawnProgram,
  untilReady,
  type Environment,
  type RunningProcess,
} from './server-process.ts';
import { tokenFor } from './tokens.ts';

export type { RunningProcess } from './server-process.ts';

export interface ServerProcess extends RunningProcess {
  /** A client of a user, with a token that is signed with the tests' secret. */
  as(user: string): Promise<Client>;
}

/** Starts the server as a process and waits until it is ready. */
export async function startProcess(env: Environment): Promise<ServerProcess> {
  const running = await untilReady(killedAtEnd(spawnCli(['serve'], { PORT: '0', ...env })));
  return { ...running, as: async (user) => new Client(running, await tokenFor(user)) };
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

/** Starts a server by npm, as a process group. Signals go to npm alone or to the whole group. */
export function startByNpm(
  args: readonly string[],
  env: Environment,
  signalled: 'npm' | 'group' = 'npm',
): Promise<RunningProcess> {
  const child = killedAtEnd(spawnProgram('npm', args, { PORT: '0', ...env }));
  if (signalled === 'group') child.kill = (signal) => process.kill(-(child.pid ?? 0), signal);
  return untilReady(child);
}

/** A token of the user "me", signed with the local key of the server. */
export async function localToken(env: Environment): Promise<string> {
  return (await outputOf(['token', '--user', 'me'], env)).trim();
}

/** Runs a command to its end. Its output lacks the lines that name its databases. */
export async function runCli(args: readonly string[], env: Environment = {}): ReturnType<typeof endOf> {
  const { code, output } = await runNaming(args, env);
  return { code, output: output.replaceAll(/^Database: .*\n/gm, '') };
}

/** Runs a command to its end. Its output includes the lines that name its databases. */
export function runNaming(args: readonly string[], env: Environment): ReturnType<typeof endOf> {
  return endOf(killedAtEnd(spawnCli(args, env)));
}

/** Runs a command as root, but without root's right to use the files of other users. */
export function runWithoutPrivilege(args: readonly string[], env: Environment): ReturnType<typeof endOf> {
  const options = ['--bounding-set', '-dac_override,-dac_read_search'];
  const command = [process.execPath, ...nodeOptions, cli, ...args];
  return endOf(killedAtEnd(spawnProgram('setpriv', [...options, ...command], env)));
}

/** The synopses of all commands. */
export async function readSynopses(): Promise<string[]> {
  return [...(await outputOf(['--help'])).matchAll(/^ {2}([a-z].*)$/gm)].map(([, synopsis = '']) => synopsis);
}

/** Runs a command that must succeed. Resolves to its output. */
export function outputOf(args: readonly string[], env?: Environment): Promise<string> {
  return printedBy(args, env, 0);
}

/** Runs a command that must fail. Resolves to its output. */
export function refusalOf(args: readonly string[], env?: Environment): Promise<string> {
  return printedBy(args, env, 1);
}

async function printedBy(args: readonly string[], env: Environment = {}, expected: number): Promise<string> {
  const { code, output } = await runCli(args, env);
  if (code === expected) return output;
  throw new Error(`${args.join(' ')} ended with ${String(code)} instead of ${expected}: ${output}`);
}

function killedAtEnd(child: ChildProcess): ChildProcess {
  const closed = new Promise((resolve) => child.once('close', resolve));
  cleanUpAfter(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await closed;
  });
  return child;
}
