import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { compileCache } from './node.ts';

const root = join(import.meta.dirname, '../..');

interface ConformanceRun {
  readonly url: string;
  readonly tokens: readonly [string, string?];
  readonly junit?: string;
  /** The file to run, until its first broken promise. Without it, all files run to their end. */
  readonly file?: string;
}

/** Runs `npm run conformance` with few random requests, and resolves to its exit code and output. */
export function runConformance({
  url,
  tokens: [token, other],
  junit,
  file,
}: ConformanceRun): Promise<{ code: number | null; output: string }> {
  const options = ['--url', url, '--token', token];
  if (other !== undefined) options.push('--other-token', other);
  if (junit !== undefined) options.push('--junit', junit);
  if (file !== undefined) options.push('--bail', file);
  return runConformanceScript(options);
}

export async function runConformanceScript(
  options: readonly string[],
): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, ['scripts/conformance.ts', ...options], {
    cwd: root,
    env: {
      PATH: process.env['PATH'] ?? '',
      NODE_COMPILE_CACHE: compileCache,
      CONFORMANCE_FUZZ_RUNS: '3',
      NO_COLOR: '1',
    },
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, output };
}
