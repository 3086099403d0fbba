import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StartupError } from '../../lib/startup-error.ts';

const { R_OK, W_OK, X_OK } = constants;

/**
 * Throws a StartupError if this user may not read and write a file, or a folder with everything in it. The error names
 * the first file or folder without these rights, from the root down. An absent file is permitted.
 */
export function assertPermitted(path: string): void {
  const folder = dirname(path);
  const forbidden =
    foldersAbove(folder).find((each) => isRefused(`${each}/.`, X_OK)) ??
    (isRefused(`${folder}/.`, W_OK) ? folder : findForbidden(path));
  if (forbidden === undefined) return;
  const { uid, mode } = statSync(forbidden);
  const rights = (mode & 0o7777).toString(8).padStart(4, '0');
  throw new StartupError(
    `${forbidden} belongs to uid ${uid} and has the mode ${rights}, so the user of this process (uid ${String(process.getuid?.())}) may not use it. Run the command as the owner of the data folder, or give the folder with everything in it to this user: \`chown -R\`.`,
  );
}

/** The folders above a path, from the root down. */
function foldersAbove(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [] : [...foldersAbove(parent), parent];
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
