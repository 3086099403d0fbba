import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { Kysely, PGliteDialect } from 'kysely';
import { program, StartupError } from '../../lib/startup-error.ts';
import { setStatements } from '../session-settings.ts';
import type { Db, Tables } from '../tables.ts';
import { timestampFromPostgres, timestamptzOid } from '../timestamps.ts';
import { watchFolder, watchMessages } from './end-when-broken.ts';
import { assertPermitted, lockFile, lockFolder } from './folder.ts';
import { isDiskFull, startMaintenance } from './maintenance.ts';

/** Parsers that make PGlite return the same values as Postgres. */
const parsers = { [timestamptzOid]: timestampFromPostgres };

/**
 * Postgres initializes its buffers at the start. In WebAssembly, the default of 128 MB takes 0.7 s and 115 MB of
 * memory; 16 MB take 0.1 s. Other pages come from the operating system's cache.
 */
const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB'];
const options = { parsers, startParams };

export interface EmbeddedDatabase {
  readonly db: Db;
  close(): Promise<void>;
}

export class NoDatabase extends StartupError {}

/** Postgres inside this process. Its data is in a folder that only one process at a time can use. */
export async function openPglite(dataDir: string, mayCreate: boolean): Promise<EmbeddedDatabase> {
  const folder = join(dataDir, 'database');
  // Checked before anything else, because Postgres would not say which file it may not use.
  for (const path of [folder, join(dataDir, lockFile)]) assertPermitted(path);
  if (!mayCreate && !existsSync(join(folder, 'PG_VERSION')))
    throw new NoDatabase(
      `${dataDir} has no database. If it should have one, correct the name of the folder. Otherwise \`${program} migrate\` or the start of a server creates one.`,
    );
  const unlock = lockFolder(dataDir);
  const pglite = await openFolder(folder).catch((error: unknown) => {
    unlock();
    throw error;
  });
  const watched = watchFolder(dataDir);
  const database = await embeddedDatabase(pglite, watched.assertIntact);
  const stopMaintenance = startMaintenance(folder, pglite, watched.assertIntact);
  return {
    ...database,
    close: async () => {
      await stopMaintenance();
      watched.assertIntact();
      await database.close();
      watched.close();
      unlock();
    },
  };
}

async function openFolder(folder: string): Promise<PGlite> {
  // Postgres creates files that everybody may read, so the mode of the folder keeps other users out.
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    // PGlite writes PG_VERSION first. Without this file, it would replace the data with an empty database.
    const has = (file: string): boolean => existsSync(join(folder, file));
    if (!has('PG_VERSION') && (has('global/pg_control') || has('base/1/PG_VERSION')))
      throw new Error('PG_VERSION is missing.');
    return await PGlite.create(folder, options);
  } catch (cause) {
    // The error of PGlite says only that Postgres has exited.
    const reason = (await isDiskFull(folder))
      ? 'its disk is full. Make space.'
      : 'it is damaged, or another version of Postgres made it. Restore a backup, or move it away to start with an empty one.';
    throw new StartupError(`The embedded database ${folder} cannot be opened: ${reason}`, { cause });
  }
}

/**
 * Postgres inside this process, without persistent data. Creating an empty database takes seconds, so the first start
 * saves one in a file for later starts.
 */
export async function openInMemory(dataDir: string): Promise<EmbeddedDatabase> {
  const file = join(dataDir, 'demo-database.tar');
  // The file is missing at the first start, and another version of Postgres may have saved it.
  const saved = await readFile(file)
    .then((bytes) => PGlite.create({ ...options, loadDataDir: new Blob([bytes]) }))
    .catch(() => undefined);
  if (saved !== undefined) return embeddedDatabase(saved);
  const pglite = await PGlite.create(options);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, await (await pglite.dumpDataDir('none')).bytes());
  // A process that is killed here must not leave half a file.
  await rename(draft, file);
  return embeddedDatabase(pglite);
}

async function embeddedDatabase(
  pglite: PGlite,
  assertIntact: () => void = () => undefined,
): Promise<EmbeddedDatabase> {
  watchMessages(pglite, assertIntact);
  await pglite.exec(setStatements);
  const db = new Kysely<Tables>({ dialect: new PGliteDialect({ pglite }) });
  return { db, close: () => db.destroy() };
}
