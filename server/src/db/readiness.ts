import { setTimeout as pause } from 'node:timers/promises';
import { isMigrated } from './migrate.ts';
import type { Db } from './tables.ts';

const timeoutMs = 2000;
const cacheMs = 1000;

/**
 * Says, as a sentence, why this server cannot take requests, or undefined when it can. Asks the database at most once
 * a second, however often it is called. `onAnswer` hears each time what the reason was, and what caused it.
 */
export function createReadiness(
  db: Db,
  stopping: AbortSignal,
  onAnswer: (reason: Error | undefined) => void,
): () => Promise<string | undefined> {
  let latest: Promise<string | undefined> | undefined;
  return () => {
    if (stopping.aborted) return Promise.resolve('The server is about to stop.');
    if (latest === undefined) {
      latest = askDatabase(db).then((reason) => {
        onAnswer(reason);
        return reason?.message;
      });
      setTimeout(() => (latest = undefined), cacheMs).unref();
    }
    return latest;
  };
}

async function askDatabase(db: Db): Promise<Error | undefined> {
  const silence = pause(timeoutMs, new Error('The database does not answer.'), { ref: false });
  const answer = isMigrated(db).then(
    (is) => (is ? undefined : new Error('The database lacks migrations of this server.')),
    (cause: unknown) => new Error('The database cannot be reached.', { cause }),
  );
  return await Promise.race([answer, silence]);
}
