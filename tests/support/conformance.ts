import { endOf, spawnProgram } from './server-process.ts';

interface ConformanceRun {
  readonly url: string;
  readonly tokens: readonly [string, string?];
  readonly junit?: string;
  /** The only file to run; it stops at its first broken promise. Without it, all files run to their end. */
  readonly file?: string;
}

/** Runs `npm run conformance` with few random requests, and resolves to its exit code and output. */
export function runConformance({
  url,
  tokens: [token, other],
  junit,
  file,
}: ConformanceRun): ReturnType<typeof endOf> {
  const options = ['--url', url, '--token', token];
  if (other !== undefined) options.push('--other-token', other);
  if (junit !== undefined) options.push('--junit', junit);
  if (file !== undefined) options.push('--bail', file);
  return runConformanceScript(options);
}

export function runConformanceScript(options: readonly string[]): ReturnType<typeof endOf> {
  const env = { CONFORMANCE_FUZZ_RUNS: '3', NO_COLOR: '1' };
  return endOf(spawnProgram(process.execPath, ['scripts/conformance.ts', ...options], env));
}
