import { spawnSync } from 'node:child_process';

/** What a program says about its version, or undefined where it is not installed. */
export function versionOf(program: string): string | undefined {
  const { stdout, status } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}
