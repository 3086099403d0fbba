import { spawnSync } from 'node:child_process';

/** The version that a program prints; undefined if it is not installed. */
export function versionOf(program: string, option = '--version'): string | undefined {
  const { stdout, stderr, status } = spawnSync(program, [option], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() || stderr.trim() : undefined;
}
