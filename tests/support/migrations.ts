import { migrateDatabase, openDatabase } from '../../server/src/db/database.ts';
import { serverMigrations, type Migrations } from '../../server/src/db/migrate.ts';
import { testConfig } from './config.ts';

export const migrationNames = Object.keys(serverMigrations);

/** The name of a migration of a later version. `place` counts from the last migration of this version. */
export function laterMigration(text: string, place = 1): string {
  return `${String(migrationNames.length + place).padStart(3, '0')}-${text}`;
}

/**
 * Migrates a database as a later version with more migrations would. Resolves to the names of the migrations that ran.
 */
export async function migrateWith(
  further: Migrations,
  env: Readonly<Record<string, string>>,
  warn: (sentence: string) => void = () => undefined,
): Promise<string[]> {
  const config = testConfig({ dataDir: env['DATA_DIR'] ?? '', env });
  const database = await openDatabase(config);
  try {
    return await migrateDatabase(config, database, warn, { ...serverMigrations, ...further });
  } finally {
    await database.close();
  }
}
