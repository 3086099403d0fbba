/**
 * Fails unless the tests received every documented status of every operation. `scripts/test.ts` runs it after the full
 * suite.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { documentedOperations, recordedPairs } from './contract-coverage.ts';

const folder = join(import.meta.dirname, '..', 'tests', '.coverage');
const covered = recordedPairs(folder);
rmSync(folder, { recursive: true, force: true });

const documented = documentedOperations().flatMap(({ operationId, statuses }) =>
  statuses.map((status) => `${operationId} ${status}`),
);
const missing = documented.filter((pair) => !covered.has(pair));
if (missing.length > 0) {
  console.error(`Documented, but not covered by any test:\n  ${missing.join('\n  ')}`);
  process.exitCode = 1;
} else {
  console.log(`All ${documented.length} documented pairs of operation and status are covered.`);
}
