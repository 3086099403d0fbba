import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { Kysely, PGliteDialect, type PGliteDialectConfig } from 'kysely';
import { fromPglite, type ConstructorOptions } from 'pg-boss';
import { StartupError } from '../../environment.ts';
import { databaseProblem } from '../errors.ts';
import { lockFolder } from './folder-lock.ts';
import type { Db, Tables } from '../tables.ts';
import { timestampFromPostgres, timestamptzOid } from '../timestamps.ts';

/** Parsers that make the rows of PGlite equal to those of Postgres. */
export const parsers = { [timestamptzOid]: timestampFromPostgres };

interface EmbeddedDatabase {
  readonly db: Db;
  readonly jobs: ConstructorOptions;
  close(): Promise<void>;
}

/** Postgres inside this process, with its data in a folder that one process at a time can use. */
export async function openPglite(dataDir: string): Promise<EmbeddedDatabase> {
  const unlock = lockFolder(dataDir);
  const folder = join(dataDir, 'database');
  const pglite = await PGlite.create(folder, { parsers }).catch((cause: unknown) => {
    unlock();
    throw openFailure(folder, cause);
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

/** PGlite's own error says only that Postgres has exited. */
function openFailure(folder: string, cause: unknown): StartupError {
  return new StartupError(
    `The embedded database ${folder} cannot be opened: it is damaged, or another version of Postgres made it. Restore a backup, or move it away to start with an empty one.`,
    { cause },
  );
}

/** Kysely on a PGlite. Failures are Problems. */
export async function kyselyOn(pglite: PGlite): Promise<Db> {
  await pglite.exec("set timezone to 'UTC'");
  return new Kysely<Tables>({ dialect: new PGliteDialect({ pglite: mapErrors(pglite) }) });
}

type Queryable = Pick<PGlite, 'query'>;
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
    query: queryWithMappedErrors(pglite),
    transaction: (run) =>
      pglite.transaction((transaction) =>
        run({ query: queryWithMappedErrors(transaction), rollback: () => transaction.rollback() }),
      ),
  };
}

function queryWithMappedErrors(target: Queryable): Queryable['query'] {
  return async (text, parameters, options) => {
    try {
      return await target.query(text, parameters, options);
    } catch (error) {
      throw databaseProblem(error);
    }
  };
}
