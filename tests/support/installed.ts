import { spawnSync } from 'node:child_process';

/** The version that a program prints, or undefined if it is not installed. */
export function versionOf(program: string): string | undefined {
  const { stdout, status } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}
