import { pauseRuntime, resumeRuntime, retryRuns } from '../agents/runs/operate-runs.ts';
import type { Config } from '../config/config.ts';
import { StartupError } from '../lib/startup-error.ts';
import type { Arguments } from './arguments.ts';
import { withDatabase } from './open.ts';

export async function pauseRuns(config: Config, values: Arguments): Promise<void> {
  const runtime = runtimeOf(config, values);
  await withDatabase(config, (db) => pauseRuntime(db, runtime));
  console.log(`No server begins runs of ${describe(runtime)} until they are resumed.`);
}

export async function resumeRuns(config: Config, values: Arguments): Promise<void> {
  const runtime = runtimeOf(config, values);
  const paused = await withDatabase(config, (db) => resumeRuntime(db, runtime));
  if (paused.includes('*'))
    throw new StartupError('All runtimes are paused. Resume them together, without --runtime.');
  console.log(
    `Runs of ${describe(runtime)} begin again.${paused.length === 0 ? '' : ` Still paused: ${paused.join(', ')}.`}`,
  );
}

export async function retryFailed(config: Config, values: Arguments): Promise<void> {
  const runtime = runtimeOf(config, values);
  const { waiting, failed } = await withDatabase(config, (db) => retryRuns(db, runtime));
  console.log(
    `Waiting runs that are tried at once: ${waiting}. Failed runs that are tried again: ${failed}.`,
  );
}

/** The runtime that the command names. A misspelled name would otherwise seem to have an effect. */
function runtimeOf({ agents }: Config, { find }: Arguments): string | undefined {
  const runtime = find('runtime');
  const names = ['builtin', ...agents.models.map(({ name }) => name)];
  if (runtime === undefined || names.includes(runtime)) return runtime;
  throw new StartupError(`There is no runtime "${runtime}". The runtimes are: ${names.join(', ')}.`);
}

function describe(runtime: string | undefined): string {
  return runtime === undefined ? 'all runtimes' : `the runtime "${runtime}"`;
}
