import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** The folder for the pairs of operation and status that tests have seen, one file for each process. */
const coverageFolder = process.env['TEST_COVERAGE_FOLDER'] ?? join(import.meta.dirname, '..', '.coverage');

const seen = new Set<string>();
let seenInTest: string[] = [];

/** Notes that an operation has answered with a status. */
export function record(operation: string, status: number): void {
  const pair = `${operation} ${status}`;
  seenInTest.push(pair);
  if (seen.has(pair)) return;
  seen.add(pair);
  mkdirSync(coverageFolder, { recursive: true });
  appendFileSync(join(coverageFolder, `${process.pid}.txt`), `${pair}\n`);
}

/** Runs a test and returns the pairs that it saw. */
export async function recording(test: () => Promise<void>): Promise<readonly string[]> {
  seenInTest = [];
  await test();
  return seenInTest;
}
