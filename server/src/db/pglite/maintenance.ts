import { statfs } from 'node:fs/promises';
import type { PGlite } from '@electric-sql/pglite';
import { every } from '../../lib/every.ts';
import { sqlStates } from '../errors.ts';

const cleanupMs = 60 * 60_000;
const checkMs = 1000;

// Postgres adds files of 16 MB to its write-ahead log, and panics if the disk has no room for one.
const freeMbMin = 48;

/** Resolves to true if the disk has no room for more files of the write-ahead log. */
export async function isDiskFull(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize < freeMbMin * 2 ** 20;
}

/** The error of a write while the disk is almost full. It has the SQLSTATE disk_full. */
export function diskFullError(): Error {
  const sentence = `The disk of DATA_DIR is full: less than ${freeMbMin} MB are free. Make space.`;
  return Object.assign(new Error(sentence), { code: sqlStates.disk_full });
}

/**
 * Does what the background processes of a Postgres server and its operator do. Every hour, it writes a checkpoint, to
 * limit the write-ahead log, and removes dead rows. While the disk is almost full, it makes the database read-only.
 * Every second, it calls `assertIntact`, because an idle database would not notice a broken folder. Returns a function
 * that stops this.
 */
export function startMaintenance(
  folder: string,
  pglite: PGlite,
  assertIntact: () => void,
): () => Promise<void> {
  let isReadOnly = false;
  const checkSpace = async (): Promise<void> => {
    assertIntact();
    const isFull = await isDiskFull(folder);
    if (isFull === isReadOnly) return;
    await pglite.exec(`set default_transaction_read_only = ${isFull ? 'on' : 'off'}`);
    isReadOnly = isFull;
  };
  const cleanUp = async (): Promise<void> => {
    // Skipped while the session is read-only, because cleaning up needs writes and disk space.
    if (isReadOnly) return;
    await pglite.exec('checkpoint');
    await pglite.exec('vacuum');
  };
  const stopping = new AbortController();
  // Ignore a failure: nothing has changed, and the next attempt may succeed.
  const ignore = (): void => undefined;
  const ended = Promise.all([
    checkSpace().catch(ignore),
    every(checkMs, stopping.signal, checkSpace, ignore),
    every(cleanupMs, stopping.signal, cleanUp, ignore),
  ]);
  return async () => {
    stopping.abort();
    await ended;
  };
}
