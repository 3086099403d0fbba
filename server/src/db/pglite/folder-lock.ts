import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartupError } from '../../startup-error.ts';

const sqliteBusy = 5; // SQLITE_BUSY

export class FolderInUse extends StartupError {}

/** Referenced here, because the garbage collector would close an unreferenced database and release its lock. */
const heldLocks = new Set<DatabaseSync>();

/**
 * Creates a folder unless it exists, and locks it for this process. Returns a function that releases the lock. The
 * kernel also releases it when the process ends for any reason. A file with a process id could not do that, because
 * process ids are reused. Node has no API for file locks, so an exclusive SQLite transaction takes the lock.
 */
export function lockFolder(folder: string): () => void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const lock = new DatabaseSync(join(folder, 'database.lock'));
    lock.exec('begin exclusive');
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
    throw new StartupError(
      `The data folder ${folder} cannot be used: ${String(error)}. Choose a folder that this user may write to.`,
    );
  }
}
