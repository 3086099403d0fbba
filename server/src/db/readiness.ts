import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { RemoteKeys } from '../auth/issuer-keys.ts';
import { shareFor } from '../lib/share-for.ts';
import { hasSqlState } from './errors.ts';
import { isMigrated } from './migrate.ts';
import { findWrongSettings } from './session-settings.ts';
import type { Db } from './tables.ts';

const timeoutMs = 2000;
const cacheMs = 1000;

/**
 * Returns a function that resolves to the reason why this server is not ready, or to undefined if it is. It queries the
 * database at most once a second, and calls `onResult` with the reason after each query.
 */
export function createReadiness(
  db: Db,
  remoteKeys: RemoteKeys | undefined,
  stopping: AbortSignal,
  onResult: (reason: Error | undefined) => void,
): () => Promise<Error | undefined> {
  const check = shareFor(cacheMs, async () => {
    const reason = await findUnreadiness(db, remoteKeys);
    onResult(reason);
    return reason;
  });
  return () => (stopping.aborted ? Promise.resolve(new Error('The server is shutting down.')) : check());
}

/** The reason why a server with this database could not answer requests. */
export async function findUnreadiness(db: Db, remoteKeys?: RemoteKeys): Promise<Error | undefined> {
  const late = pause(timeoutMs, new Error('It does not answer.'), { ref: false });
  // All queries use one connection, because taking a connection may take a while.
  const checked = db
    .connection()
    .execute(checkDatabase)
    .catch((cause: unknown) => new Error('The database cannot be reached.', { cause }));
  const reason = await Promise.race([checked, late.then(() => new Error('The database does not answer.'))]);
  if (reason !== undefined || remoteKeys === undefined) return reason;
  // Without the keys, the server answers every request with 503.
  const withoutKeys = (cause: unknown) => new Error(`${remoteKeys.name} cannot be fetched.`, { cause });
  return Promise.race([remoteKeys.check().then(() => undefined, withoutKeys), late.then(withoutKeys)]);
}

async function checkDatabase(connection: Db): Promise<Error | undefined> {
  if (!(await isMigrated(connection)))
    return new Error('The database lacks migrations that this server needs.');
  const wrong = await findWrongSettings(connection);
  if (wrong.length > 0)
    return new Error(
      `The sessions of the database have other settings than this server needs: ${wrong.join('; ')}.`,
    );
  try {
    // Fails if the database is read-only. The pool then replaces its connections.
    await sql`delete from rate_limits where false`.execute(connection);
    await writeTemporaryFile(connection);
    return undefined;
  } catch (cause) {
    if (hasSqlState(cause, 'disk_full')) return new Error('The disk of the database is full.', { cause });
    if (hasSqlState(cause, 'read_only_sql_transaction'))
      return new Error('The database is read-only.', { cause });
    throw cause;
  }
}

/** Makes the database write 280 kB to its disk and delete them. This takes 3 ms, and leaves neither rows nor log. */
export async function writeTemporaryFile(connection: Db): Promise<void> {
  await sql`
    select count(*) from (select set_config('work_mem', '64kB', true) as memory offset 0) as setting,
      lateral generate_series(1, 20000 + 0 * length(memory))`.execute(connection);
}
