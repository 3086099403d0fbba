import { closeSync, openSync, statSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { commits, statements } from '../channels.ts';
import { databaseProblem, sqlStateOf, sqlStates } from '../errors.ts';
import { lockFile } from './folder.ts';
import { diskFullError } from './maintenance.ts';

/** The first bytes of the messages Parse, Query and Sync. PGlite ends every statement and commit with Sync. */
const [parse, query, sync] = Buffer.from('PQS');

/**
 * Publishes what PGlite executes, and converts its errors to Problems. Ends the process if `assertIntact` finds the
 * folder broken, or if Postgres fails as a whole, because PGlite would then execute the next statement forever.
 */
export function watchMessages(pglite: PGlite, assertIntact: () => void): void {
  const execute = pglite.execProtocolStream.bind(pglite);
  pglite.execProtocolStream = async (message, options) => {
    // The text follows the type and the length, five bytes, and the empty name of the statement, one byte 0.
    if (message[0] === parse) statements.publish({ text: textFrom(message, 6) });
    try {
      const messages = await execute(message, options);
      // Checked before the write is acknowledged, because Postgres can still write to open files that were deleted.
      if (message[0] === sync) assertIntact();
      if (message[0] === query && textFrom(message, 5) === 'COMMIT') commits.publish({});
      return messages;
    } catch (error) {
      if (isFatal(error))
        end(
          `the embedded database has failed: ${error.message}. Check the disk of DATA_DIR, and start again.`,
        );
      throw databaseProblem(
        sqlStateOf(error) === sqlStates.read_only_sql_transaction ? diskFullError() : error,
      );
    }
  };
}

function textFrom(message: Uint8Array, start: number): string {
  return Buffer.from(message.subarray(start, message.indexOf(0, start))).toString();
}

/** WebAssembly throws a RuntimeError when it aborts. */
function isFatal(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const isEndOfSession = 'severity' in error && (error.severity === 'PANIC' || error.severity === 'FATAL');
  return isEndOfSession || error.name === 'RuntimeError';
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

/** Writes to standard error synchronously, so that the end of the process does not lose the sentence. */
function end(reason: string): never {
  console.error(`This process has ended, because ${reason}`);
  process.exit(1);
}
