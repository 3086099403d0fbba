import { statfs } from 'node:fs/promises';

/** Runs statements one after the other, outside a transaction. */
type Execute = (...statements: string[]) => Promise<unknown>;

const cleanupMs = 60 * 60_000;
const checkMs = 1000;

// Postgres adds files of 16 MB to its write-ahead log. On a full disk, PGlite would retry a failed write of the log
// forever.
const freeBytesMin = 48 * 2 ** 20;

/**
 * Does what the background processes of a Postgres server and its operator do. Every hour, it writes a checkpoint, to
 * limit the write-ahead log, and removes dead rows. While the disk is almost full, it makes the database read-only.
 * Returns a function that stops this.
 */
export function startMaintenance(folder: string, execute: Execute): () => Promise<void> {
  let latest: Promise<unknown> = Promise.resolve();
  let isReadOnly = false;
  const run = (work: () => Promise<unknown>): void => {
    // Ignore a failure: nothing has changed, and the next attempt may succeed.
    latest = latest.then(work).catch(() => undefined);
  };
  const checkSpace = async (): Promise<void> => {
    const { bavail, bsize } = await statfs(folder);
    const isFull = bavail * bsize < freeBytesMin;
    if (isFull === isReadOnly) return;
    await execute(`set default_transaction_read_only = ${isFull ? 'on' : 'off'}`);
    isReadOnly = isFull;
  };
  run(checkSpace);
  const timers = [
    setInterval(run, checkMs, checkSpace),
    // Skipped while the session is read-only: it could not clean up, and cleaning up needs disk space.
    setInterval(run, cleanupMs, () => (isReadOnly ? Promise.resolve() : execute('checkpoint', 'vacuum'))),
  ];
  timers.forEach((timer) => timer.unref());
  return async () => {
    timers.forEach(clearInterval);
    await latest;
  };
}
