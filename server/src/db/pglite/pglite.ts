import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { Kysely, PGliteDialect, type PGliteDialectConfig } from 'kysely';
import { fromPglite, type ConstructorOptions } from 'pg-boss';
import { StartupError } from '../../environment.ts';
import { databaseProblem } from '../errors.ts';
import { lockFolder } from './folder-lock.ts';
import type { Db, Tables } from '../tables.ts';
import { timestampFromPostgres, timestamptzOid } from '../timestamps.ts';

/** How a PGlite is to read values, so that rows are the same as Postgres'. */
export const parsers = { [timestamptzOid]: timestampFromPostgres };

interface EmbeddedDatabase {
  readonly db: Db;
  readonly jobs: ConstructorOptions;
  close(): Promise<void>;
}

/** Postgres inside this process, durable in a folder. One process at a time. */
export async function openPglite(dataDir: string): Promise<EmbeddedDatabase> {
  const unlock = lockFolder(dataDir);
  const folder = join(dataDir, 'database');
  const pglite = await PGlite.create(folder, { parsers }).catch((cause: unknown) => {
    unlock();
    throw unusable(folder, cause);
  });
  const db = await kyselyOn(pglite);
  return {
    db,
    // PGlite itself keeps the queue's statements out of Kysely's transactions.
    jobs: { db: fromPglite(pglite), backend: 'pglite' },
    close: async () => {
      await db.destroy();
      unlock();
    },
  };
}

/** What PGlite throws says little, as it is a Postgres that has ended itself. */
function unusable(folder: string, cause: unknown): StartupError {
  return new StartupError(
    `The embedded database ${folder} cannot be opened: it is damaged, or another version of Postgres made it. Restore a backup, or move it away to begin with an empty one.`,
    { cause },
  );
}

/** Kysely on a PGlite whose failures are Problems. */
export async function kyselyOn(pglite: PGlite): Promise<Db> {
  await pglite.exec("set timezone to 'UTC'");
  return new Kysely<Tables>({ dialect: new PGliteDialect({ pglite: mapErrors(pglite) }) });
}

type Queries = Pick<PGlite, 'query'>;
type PGliteOfKysely = Exclude<PGliteDialectConfig['pglite'], (...args: never[]) => unknown>;

function mapErrors(pglite: PGlite): PGliteOfKysely {
  return {
    close: () => pglite.close(),
    get closed() {
      return pglite.closed;
    },
    get ready() {
      return pglite.ready;
    },
    waitReady: pglite.waitReady,
    query: queryWithProblems(pglite),
    transaction: (run) =>
      pglite.transaction((transaction) =>
        run({ query: queryWithProblems(transaction), rollback: () => transaction.rollback() }),
      ),
  };
}

function queryWithProblems(target: Queries): Queries['query'] {
  return async (text, parameters, options) => {
    try {
      return await target.query(text, parameters, options);
    } catch (error) {
      throw databaseProblem(error);
    }
  };
}
