import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Options for the processes that run tests, and for the servers that they start. They turn off V8's optimizing compiler
 * for PGlite's WebAssembly, because most processes end before it pays off.
 */
export const nodeOptions: readonly string[] = ['--liftoff-only'];

/** The folder for compiled modules, which hundreds of these processes load. */
export const compileCache = join(import.meta.dirname, '../../node_modules/.cache/node');

/** Creates the temporary folder of a run. It is deleted with everything that processes leave in it. */
export function createRunFolder(): string {
  const folder = mkdtempSync(join(process.env['TMPDIR'] ?? temporaryFolder(), 'worktable-tests-'));
  // The Postgres of the tests runs as another user, and must be able to read the folder.
  chmodSync(folder, 0o755);
  process.on('exit', () => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/**
 * Where tests keep their databases: in memory, if there is room for all databases that exist at the same time. An
 * embedded database has a thousand files, and the kernel takes long to create them on a disk.
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
