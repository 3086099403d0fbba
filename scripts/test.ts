/**
 * Runs the tests and, after the full suite, checks that they covered every documented status, also if a test failed.
 * Arguments are passed to Vitest, for example a part of a file name to run only matching files.
 */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';

const filters = process.argv.slice(2);
if (process.env['TEST_CITUS_URL'] === undefined)
  console.log('The tests on Citus are skipped, because TEST_CITUS_URL is not set; see tests/README.md.');
rmSync('tests/.coverage', { recursive: true, force: true });

const statuses = [run('vitest', ['run', ...filters])];
if (filters.length === 0) statuses.push(run('node', ['scripts/check-contract-coverage.ts']));
process.exitCode = statuses.find((status) => status !== 0) ?? 0;

function run(command: string, args: string[]): number {
  return spawnSync(command, args, { stdio: 'inherit' }).status ?? 1;
}
