const cleanups: (() => unknown)[] = [];

/**
 * Calls a function after the tests of the file that runs. Vitest ignores hooks that are registered while another hook
 * runs, and files of a project share their modules, so `each-file.ts` registers one hook per file for all of them.
 */
export function afterFile(cleanup: () => unknown): void {
  cleanups.push(cleanup);
}

/** Calls what has been given to `afterFile` since the last call. */
export async function cleanUp(): Promise<void> {
  await Promise.all(cleanups.splice(0).map((cleanup) => cleanup()));
}
