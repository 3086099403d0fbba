/**
 * Runs the tests. After the full suite, fails if a documented status of an operation was never received. Arguments are
 * passed to Vitest, for example a part of a file name.
 */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { documentedOperations, recordedPairs } from './contract-coverage.ts';

const filters = process.argv.slice(2);
const coverage = 'tests/.coverage';
if (process.env['TEST_CITUS_URL'] === undefined)
  console.log('The tests on Citus are skipped, because TEST_CITUS_URL is not set; see tests/README.md.');
rmSync(coverage, { recursive: true, force: true });

process.exitCode = spawnSync('vitest', ['run', ...filters], { stdio: 'inherit' }).status ?? 1;
if (filters.length === 0) checkCoverage();

function checkCoverage(): void {
  const covered = recordedPairs(coverage);
  rmSync(coverage, { recursive: true, force: true });
  const documented = documentedOperations().flatMap(({ operationId, statuses }) =>
    statuses.map((status) => `${operationId} ${status}`),
  );
  const missing = documented.filter((pair) => !covered.has(pair));
  if (missing.length === 0) {
    console.log(`All ${documented.length} documented pairs of operation and status are covered.`);
    return;
  }
  console.error(`Documented, but not covered by any test:\n  ${missing.join('\n  ')}`);
  process.exitCode = 1;
}
