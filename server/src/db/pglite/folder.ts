import { accessSync, constants, mkdirSync, mkdtempSync, readdirSync, rmdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartupError } from '../../lib/startup-error.ts';

export const lockFile = 'database.lock';

const sqliteBusy = 5; // SQLITE_BUSY

export class FolderInUse extends StartupError {}

/** Referenced here, because the garbage collector would close an unreferenced database and release its lock. */
const heldLocks = new Set<DatabaseSync>();

/**
 * Creates a folder unless it exists, and locks it for this process. Returns a function that releases the lock. The
 * kernel also releases it when the process ends for any reason; a file with a process id would stay, and process ids
 * are reused. Node has no API for file locks, so an exclusive SQLite transaction takes the lock.
 */
export function lockFolder(folder: string): () => void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const lock = new DatabaseSync(join(folder, lockFile));
    lock.exec('begin exclusive');
    // Checks that the folder is writable, because SQLite takes the lock on a read-only file system too.
    rmdirSync(mkdtempSync(join(folder, 'check-')));
    heldLocks.add(lock);
    return () => {
      heldLocks.delete(lock);
      lock.close();
    };
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy)
      throw new FolderInUse(
        `Another process uses the data folder ${folder}. Stop it, or set DATA_DIR to another folder.`,
      );
    throw unusable(folder, error);
  }
}

/** Throws a StartupError if this user may not read and write a file, or a folder with everything in it. */
export function assertPermitted(path: string): void {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    const stats = statSync(path);
    // Files that root adds to the folder of another user would lock this user out.
    if (process.getuid?.() === 0 && stats.uid !== 0) throw new Error('It belongs to another user');
    if (stats.isDirectory()) for (const name of readdirSync(path)) assertPermitted(join(path, name));
  } catch (error) {
    // The file does not exist yet, or was deleted by another process. `lockFolder` reports the other process.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return;
    throw error instanceof StartupError ? error : unusable(path, error);
  }
}

function unusable(path: string, error: unknown): StartupError {
  return new StartupError(
    `The server cannot use ${path}: ${String(error)}. Make space, or choose a data folder that belongs to this user with everything in it.`,
  );
}
