import { setTimeout as pause } from 'node:timers/promises';
import { isMigrated } from './migrate.ts';
import type { Db } from './tables.ts';

const patienceMs = 2000;
const freshMs = 1000;

/**
 * Says, as a sentence, why this server cannot take requests, or undefined when it can. Asks the database at most once
 * a second, however often it is called.
 */
export function createReadiness(db: Db, stopping: AbortSignal): () => Promise<string | undefined> {
  let latest: Promise<string | undefined> | undefined;
  return () => {
    if (stopping.aborted) return Promise.resolve('The server is about to stop.');
    if (latest === undefined) {
      latest = askDatabase(db);
      setTimeout(() => (latest = undefined), freshMs).unref();
    }
    return latest;
  };
}

async function askDatabase(db: Db): Promise<string | undefined> {
  const silence = pause(patienceMs, 'The database does not answer.', { ref: false });
  const answer = isMigrated(db).then(
    (is) => (is ? undefined : 'The database lacks migrations of this server.'),
    () => 'The database cannot be reached.',
  );
  return await Promise.race([answer, silence]);
}
