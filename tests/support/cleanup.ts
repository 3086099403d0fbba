import { TestRunner } from 'vitest';

const cleanups: (() => unknown)[] = [];

/**
 * Calls a function after the current test. In hooks and concurrent tests, where Vitest does not know the current test,
 * calls it after the file. Vitest ignores hooks that are registered in another hook, and all files of a project share
 * their modules. So `each-file.ts` registers one hook per file, which calls all of these functions.
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
 * Calls the functions that hooks and concurrent tests have passed to `cleanUpAfter` since the last call. The latest
 * comes first: a server is closed before its database is dropped.
 */
export async function cleanUp(): Promise<void> {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
}
