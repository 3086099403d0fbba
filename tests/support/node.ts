import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Options of the processes that run tests, and of the servers that they start. PGlite is WebAssembly, and most processes
 * end before V8's optimizing compiler has saved the time that it takes.
 */
export const nodeOptions: readonly string[] = ['--liftoff-only'];

/** The folder for the compiled modules of these processes, which hundreds of them load. */
export const compileCache = join(import.meta.dirname, '../../node_modules/.cache/node');

/** Creates the temporary folder of a run, which is deleted with all that its processes leave in it. */
export function createRunFolder(): string {
  const folder = mkdtempSync(join(process.env['TMPDIR'] ?? temporaryFolder(), 'worktable-tests-'));
  // A Postgres of the tests runs as another user.
  chmodSync(folder, 0o755);
  process.on('exit', () => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/**
 * Where tests keep their databases. Each embedded database has a thousand files, and creating them on a disk took most
 * of the kernel's time. So databases are in memory if there is room for all that tests use at a time.
 */
function temporaryFolder(): string {
  const inMemory = '/dev/shm';
  try {
    const { bavail, bsize } = statfsSync(inMemory);
    return bavail * bsize >= 8 * 2 ** 30 ? inMemory : tmpdir();
  } catch {
    return tmpdir();
  }
}
