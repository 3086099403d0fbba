import { TestRunner } from 'vitest';

const cleanups: (() => unknown)[] = [];

/**
 * Calls a function after the current test. In hooks and in concurrent tests, where Vitest does not know the current
 * test, it calls the function after the file. Vitest ignores hooks that are registered while another hook runs, and
 * files of a project share their modules, so `each-file.ts` registers one hook per file for all of them.
 */
export function cleanUpAfter(cleanup: () => unknown): void {
  const test = TestRunner.getCurrentTest();
  if (test === undefined || test.concurrent === true) cleanups.push(cleanup);
  else
    test.context.onTestFinished(async () => {
      await cleanup();
    });
}

/**
 * Calls the functions that were given to `cleanUpAfter` in hooks and concurrent tests since the last call, the latest
 * first: a server is closed before its database is dropped.
 */
export async function cleanUp(): Promise<void> {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
}
