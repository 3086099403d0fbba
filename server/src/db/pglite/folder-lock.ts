import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartupError } from '../../environment.ts';

const busy = 5; // SQLITE_BUSY

/** The locks of this process. A database that nobody refers to is closed by the garbage collector, its lock with it. */
const held = new Set<DatabaseSync>();

/**
 * Makes a folder, if it is not there, and lets one process at a time use it. The kernel holds the lock and drops it when
 * the process ends, however it ends; process ids, which repeat, play no part. Node has no such lock of its own, and
 * SQLite's exclusive transaction takes one. Returns the function that lets go.
 */
export function lockFolder(folder: string): () => void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const lock = new DatabaseSync(join(folder, 'database.lock'));
    lock.exec('begin exclusive');
    held.add(lock);
    return () => {
      held.delete(lock);
      lock.close();
    };
  } catch (error) {
    throw new StartupError(
      error instanceof Error && 'errcode' in error && error.errcode === busy
        ? `Another process uses the data folder ${folder}. Stop it, or set DATA_DIR to another folder.`
        : `The data folder ${folder} cannot be used: ${String(error)}. Make it one that this user may write to.`,
    );
  }
}
