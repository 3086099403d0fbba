import { openDatabase } from '../../server/src/db/database.ts';
import type { Db } from '../../server/src/db/tables.ts';
import { testConfig } from './config.ts';
import type { Environment } from './server-process.ts';

/** Uses a database without a server. The embedded database must not be in use. */
export async function onDatabase<Result>(
  env: Environment,
  use: (db: Db) => Promise<Result>,
): Promise<Result> {
  const database = await openDatabase(testConfig({ dataDir: env['DATA_DIR'] ?? '', env }));
  try {
    return await use(database.db);
  } finally {
    await database.close();
  }
}
