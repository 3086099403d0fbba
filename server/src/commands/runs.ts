import { pauseRuntime, resumeRuntime, retryRuns } from '../agents/runs/operate-runs.ts';
import type { Config } from '../config/config.ts';
import { StartupError } from '../lib/startup-error.ts';
import { withDatabase } from './open.ts';

export async function pauseRuns(config: Config, runtime?: string): Promise<void> {
  assertRuntime(config, runtime);
  await withDatabase(config, (db) => pauseRuntime(db, runtime));
  console.log(`No server begins runs of ${runtime ?? 'all runtimes'} until they are resumed.`);
}

export async function resumeRuns(config: Config, runtime?: string): Promise<void> {
  assertRuntime(config, runtime);
  const paused = await withDatabase(config, (db) => resumeRuntime(db, runtime));
  if (paused.includes('*'))
    throw new StartupError('All runtimes are paused. Resume them together, without --runtime.');
  console.log(
    `Runs of ${runtime ?? 'all runtimes'} begin again.${paused.length === 0 ? '' : ` Still paused: ${paused.join(', ')}.`}`,
  );
}

export async function retryFailed(config: Config, runtime?: string): Promise<void> {
  assertRuntime(config, runtime);
  const { waiting, failed } = await withDatabase(config, (db) => retryRuns(db, runtime));
  console.log(
    `Waiting runs that are tried at once: ${waiting}. Failed runs that are tried again: ${failed}.`,
  );
}

/** Refuses a misspelled name, which would otherwise seem to have an effect. */
function assertRuntime({ agents }: Config, runtime: string | undefined): void {
  const names = ['builtin', ...agents.models.map(({ name }) => name)];
  if (runtime === undefined || names.includes(runtime)) return;
  throw new StartupError(`There is no runtime "${runtime}". The runtimes are: ${names.join(', ')}.`);
}
