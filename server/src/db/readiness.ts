import { setTimeout as pause } from 'node:timers/promises';
import { isMigrated } from './migrate.ts';
import type { Db } from './tables.ts';

const timeoutMs = 2000;
const cacheMs = 1000;

/**
 * Returns a function that resolves to the reason why this server cannot take requests, as a sentence, or to undefined.
 * It queries the database at most once a second. `onResult` receives the reason and its cause after each query.
 */
export function createReadiness(
  db: Db,
  stopping: AbortSignal,
  onResult: (reason: Error | undefined) => void,
): () => Promise<string | undefined> {
  let latest: Promise<string | undefined> | undefined;
  return () => {
    if (stopping.aborted) return Promise.resolve('The server is shutting down.');
    if (latest === undefined) {
      latest = checkDatabase(db).then((reason) => {
        onResult(reason);
        return reason?.message;
      });
      setTimeout(() => (latest = undefined), cacheMs).unref();
    }
    return latest;
  };
}

async function checkDatabase(db: Db): Promise<Error | undefined> {
  const timeout = pause(timeoutMs, new Error('The database does not answer.'), { ref: false });
  const result = isMigrated(db).then(
    (isUpToDate) =>
      isUpToDate ? undefined : new Error('The database lacks migrations that this server needs.'),
    (cause: unknown) => new Error('The database cannot be reached.', { cause }),
  );
  return await Promise.race([result, timeout]);
}
