import { closeSync, openSync, statSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { sqlStateOf, sqlStates } from '../errors.ts';
import { lockFile } from './folder-lock.ts';
import { diskFullError } from './maintenance.ts';

/** The first byte of the message Sync, which PGlite sends last in every statement and commit. */
const sync = 'S'.charCodeAt(0);

/**
 * Ends the process before the next statement if Postgres fails as a whole, because PGlite would execute that statement
 * forever, or if `assertIntact` finds the folder broken.
 */
export function endWhenBroken(pglite: PGlite, assertIntact: () => void): void {
  const execute = pglite.execProtocolStream.bind(pglite);
  pglite.execProtocolStream = async (message, options) => {
    try {
      const messages = await execute(message, options);
      // Checked before the write is acknowledged: files that are deleted while they are open can still be written.
      if (message[0] === sync) assertIntact();
      return messages;
    } catch (error) {
      if (isFatal(error)) end(`the embedded database has failed: ${error.message}. ${adviceOn(error)}`);
      throw sqlStateOf(error) === sqlStates.read_only_sql_transaction ? diskFullError() : error;
    }
  };
}

/** WebAssembly throws a RuntimeError when it aborts. */
function isFatal(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const isEndOfSession = 'severity' in error && (error.severity === 'PANIC' || error.severity === 'FATAL');
  return isEndOfSession || error.name === 'RuntimeError';
}

function adviceOn(error: Error): string {
  return sqlStateOf(error) === sqlStates.disk_full
    ? 'The disk is full. Make space, and start again.'
    : 'Check the disk of DATA_DIR, and start again.';
}

/** Postgres cannot work without these files. It has some of them open, and would not notice that they are deleted. */
const essential = ['', 'base', 'global/pg_control', 'pg_wal', 'pg_xact'];

/**
 * Watches the essential files of a database, and the lock that keeps other processes away from it. `assertIntact` ends
 * the process if a file was deleted, moved or replaced.
 */
export function watchFolder(dataDir: string): { assertIntact: () => void; close: () => void } {
  const paths = essential.map((name) => join(dataDir, 'database', name));
  // Kept open, because otherwise the replacement of a deleted file could get the inode of the deleted file.
  const opened = paths.map((path) => openSync(path, 'r'));
  const parts = [...paths, join(dataDir, lockFile)].map((path) => ({ path, stats: statSync(path) }));
  return {
    assertIntact: () => {
      const broken = parts.find(({ path, stats }) => !isSame(path, stats));
      if (broken !== undefined) end(`${broken.path} ${adviceOnFolder}`);
    },
    close: () => {
      opened.forEach(closeSync);
    },
  };
}

const adviceOnFolder =
  'was deleted, moved or replaced while this process used it. If it held data, put it back or restore a backup before the next start.';

function isSame(path: string, { dev, ino }: Stats): boolean {
  try {
    const stats = statSync(path);
    return stats.dev === dev && stats.ino === ino;
  } catch {
    return false;
  }
}

/** Standard error is written at once, so the sentence is not lost. */
function end(reason: string): never {
  console.error(`This process has ended, because ${reason}`);
  process.exit(1);
}
