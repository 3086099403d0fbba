import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** The folder in which each process records pairs of an operation and a status that its tests have received. */
const coverageFolder = process.env['TEST_COVERAGE_FOLDER'] ?? join(import.meta.dirname, '..', '.coverage');

const seen = new Set<string>();
let seenInTest: string[] = [];

/** Records that an operation has answered with a status. */
export function record(operation: string, status: number): void {
  const pair = `${operation} ${status}`;
  seenInTest.push(pair);
  if (seen.has(pair)) return;
  seen.add(pair);
  mkdirSync(coverageFolder, { recursive: true });
  appendFileSync(join(coverageFolder, `${process.pid}.txt`), `${pair}\n`);
}

/** Runs a test and returns the pairs that it has received. */
export async function recording(test: () => Promise<void>): Promise<readonly string[]> {
  seenInTest = [];
  await test();
  return seenInTest;
}
