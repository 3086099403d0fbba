/**
 * Runs the tests, and after the whole suite checks that it saw every documented answer. Arguments go to Vitest, such
 * as a part of a file's name; then only those tests run.
 */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';

const filters = process.argv.slice(2);
rmSync('tests/.seen', { recursive: true, force: true });

run('vitest', ['run', ...filters]);
if (filters.length === 0) run('node', ['scripts/check-seen.ts']);

function run(command: string, args: string[]): void {
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
