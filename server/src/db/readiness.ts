import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { RemoteKeys } from '../auth/issuer-keys.ts';
import { shareFor } from '../lib/share-for.ts';
import type { Database } from './database.ts';
import { hasSqlState } from './errors.ts';
import { isMigrated } from './migrate.ts';
import { findWrongSettings } from './session-settings.ts';
import type { Db } from './tables.ts';

const timeoutMs = 2000;
const cacheMs = 1000;

interface ReadinessOptions {
  readonly database: Pick<Database, 'db' | 'engine' | 'replaceConnections'>;
  /** The keys that verify tokens, if they come from an issuer. */
  readonly remoteKeys: RemoteKeys | undefined;
  readonly stopping: AbortSignal;
}

/**
 * Returns a function that resolves to the reason why this server is not ready, or to undefined if it is. It queries the
 * database at most once a second, and calls `onResult` with the reason after each query.
 */
export function createReadiness(
  { database, remoteKeys, stopping }: ReadinessOptions,
  onResult: (reason: Error | undefined) => void,
): () => Promise<Error | undefined> {
  const check = shareFor(cacheMs, async () => {
    const reason = await findUnreadiness(database, remoteKeys);
    onResult(reason);
    return reason;
  });
  return () => (stopping.aborted ? Promise.resolve(new Error('The server is shutting down.')) : check());
}

/** The reason why a server with this database could not answer requests. */
export async function findUnreadiness(
  database: ReadinessOptions['database'],
  remoteKeys?: RemoteKeys,
): Promise<Error | undefined> {
  // All queries use one connection, because taking a connection may take a while.
  const checked = database.db
    .connection()
    .execute((connection) => checkDatabase(connection, database))
    .catch((cause: unknown) => new Error('The database cannot be reached.', { cause }));
  const late = pause(timeoutMs, new Error('The database does not answer.'), { ref: false });
  const reason = await Promise.race([checked, late]);
  if (reason !== undefined) return reason;
  // Without the keys, the server answers every request with 503.
  return remoteKeys?.check().then(
    () => undefined,
    (cause: unknown) => new Error(`${remoteKeys.name} cannot be fetched.`, { cause }),
  );
}

async function checkDatabase(
  connection: Db,
  { engine, replaceConnections }: ReadinessOptions['database'],
): Promise<Error | undefined> {
  if (!(await isMigrated(connection)))
    return new Error('The database lacks migrations that this server needs.');
  const wrong = await findWrongSettings(connection);
  if (wrong.length > 0)
    return new Error(
      `The sessions of the database have other settings than this server needs: ${wrong.join('; ')}.`,
    );
  const { rows } = await sql`select where current_setting('transaction_read_only') = 'on'`.execute(
    connection,
  );
  if (rows.length > 0) {
    replaceConnections?.();
    // Only a full disk makes the embedded database read-only.
    return new Error(engine === 'PGlite' ? diskFull : 'The database is read-only.');
  }
  try {
    await writeTemporaryFile(connection);
    return undefined;
  } catch (cause) {
    if (hasSqlState(cause, 'disk_full')) return new Error(diskFull, { cause });
    throw cause;
  }
}

const diskFull = 'The disk of the database is full.';

/** Makes the database write 280 kB to its disk and delete them. This takes 3 ms, and leaves neither rows nor log. */
export async function writeTemporaryFile(connection: Db): Promise<void> {
  await sql`
    select count(*) from (select set_config('work_mem', '64kB', true) as memory offset 0) as setting,
      lateral generate_series(1, 20000 + 0 * length(memory))`.execute(connection);
}
