import { accessSync, constants, mkdirSync, mkdtempSync, readdirSync, rmdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartupError } from '../../lib/startup-error.ts';

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

const { R_OK, W_OK, X_OK } = constants;

/**
 * Throws a StartupError if this user may not read and write a file, or a folder with everything in it, or may not use
 * the folder above. The error names the first file or folder without these rights. An absent file is permitted.
 */
export function assertPermitted(path: string): void {
  const folder = dirname(path);
  const forbidden = isRefused(`${folder}/.`, W_OK | X_OK) ? folder : findForbidden(path);
  if (forbidden === undefined) return;
  throw new StartupError(
    `The user of this process (uid ${String(process.getuid?.())}) may not use ${forbidden}. Run the command as the owner of the data folder, or give the folder with everything in it to this user: \`chown -R\`. It must also be able to enter the folders above.`,
  );
}

/** The first file or folder that this user may not read and write, or that root would share with another user. */
function findForbidden(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  const isFolder = stats?.isDirectory() === true;
  // Files that root adds to the folder of another user would lock this user out.
  const isForeign = process.getuid?.() === 0 && stats !== undefined && stats.uid !== 0;
  if (isForeign || isRefused(path, R_OK | W_OK | (isFolder ? X_OK : 0))) return path;
  if (!isFolder) return undefined;
  for (const name of readdirSync(path)) {
    const forbidden = findForbidden(join(path, name));
    if (forbidden !== undefined) return forbidden;
  }
  return undefined;
}

/** Returns false for absent files, read-only file systems, and files in the place of folders. */
function isRefused(path: string, rights: number): boolean {
  try {
    accessSync(path, rights);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EACCES';
  }
}
