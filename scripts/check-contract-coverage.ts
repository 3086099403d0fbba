/**
 * Fails unless the tests received every documented status of every operation. `scripts/test.ts` runs it after the full
 * suite.
 */
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import document from '../server/src/generated/openapi.json' with { type: 'json' };

const folder = join(import.meta.dirname, '..', 'tests', '.coverage');

const files = await readdir(folder).catch(() => []);
const contents = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
const covered = new Set(contents.flatMap((content) => content.split('\n')));
await rm(folder, { recursive: true, force: true });

const operations = Object.values(document.paths)
  .flatMap((item): unknown[] => Object.values(item))
  .filter(
    (each): each is { operationId: string; responses: object } =>
      typeof each === 'object' && each !== null && 'operationId' in each,
  );
const pairs = operations.flatMap(({ operationId, responses }) =>
  Object.keys(responses).map((status) => `${operationId} ${status}`),
);
const missing = pairs.filter((pair) => !covered.has(pair));

if (missing.length > 0) {
  console.error(`Documented, but not covered by any test:\n  ${missing.join('\n  ')}`);
  process.exitCode = 1;
} else {
  console.log(`All ${pairs.length} documented pairs of operation and status are covered.`);
}
