import { statfs } from 'node:fs/promises';

/** Runs statements one after the other, outside a transaction. */
type Execute = (...statements: string[]) => Promise<unknown>;

const cleanupMs = 60 * 60_000;
const checkMs = 1000;

// Postgres adds files of 16 MB to its log. On a full disk, PGlite repeats a failed write of the log for ever.
const freeBytesMin = 48 * 2 ** 20;

/**
 * Does the work of a Postgres server's background processes and of its operator. Every hour it writes a checkpoint, so
 * that the log does not grow, and removes dead rows. While the disk of the folder is almost full, it makes the database
 * refuse writes. Returns a function that stops this.
 */
export function startMaintenance(folder: string, execute: Execute): () => Promise<void> {
  let latest: Promise<unknown> = Promise.resolve();
  let isReadOnly = false;
  const run = (work: () => Promise<unknown>): void => {
    // A failure changes nothing; the next attempt may succeed.
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
    // A read-only session may not clean up; it needs space too.
    setInterval(run, cleanupMs, () => (isReadOnly ? Promise.resolve() : execute('checkpoint', 'vacuum'))),
  ];
  timers.forEach((timer) => timer.unref());
  return async () => {
    timers.forEach(clearInterval);
    await latest;
  };
}
