import { mkdirSync, mkdtempSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartupError } from '../../lib/startup-error.ts';
import { assertPermitted } from './file-access.ts';

export const lockFile = 'database.lock';

const sqliteBusy = 5; // SQLITE_BUSY
const sqliteFull = 13; // SQLITE_FULL

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
    const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
    if (code === sqliteBusy)
      throw new FolderInUse(
        `Another process uses the data folder ${folder}. Stop it, or set DATA_DIR to another folder.`,
      );
    assertPermitted(join(folder, lockFile));
    const advice = code === sqliteFull ? 'Make space.' : 'Choose a folder that this user may write to.';
    throw new StartupError(`The data folder ${folder} cannot be used: ${String(error)}. ${advice}`);
  }
}
