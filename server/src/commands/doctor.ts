import { signingKey, verifyingKeys } from '../auth/keys.ts';
import { configChecks, databaseChecks, findingsOf, type Checks } from '../ops/checks.ts';
import type { Config } from '../config/config.ts';
import { commandOptions, openDatabase, type Database } from '../db/database.ts';
import { findMissing, migrationsMissing } from '../db/migrate.ts';
import { FolderInUse } from '../db/pglite/folder.ts';
import { NoDatabase } from '../db/pglite/pglite.ts';
import { findUnreadiness } from '../db/readiness.ts';
import { assertSessionSettings } from '../db/session-settings.ts';
import { reasonsOf } from '../ops/log.ts';
import { StartupError } from '../lib/startup-error.ts';
import { nameDatabase } from './open.ts';

/** Prints a line for each finding. The exit code is 1 if a server could not work. */
export async function doctor(config: Config): Promise<void> {
  nameDatabase(config);
  await print(config, {
    ...configChecks(config),
    keys: () => checkKeys(config),
    fonts: checkFonts,
  });
  const opening = openDatabase(config, commandOptions);
  await print(config, { database: () => checkDatabase(opening) });
  const database = await opening.catch(() => undefined);
  if (database === undefined) return;
  await print(config, databaseChecks(config, database)).finally(() => database.close());
}

async function print(config: Config, checks: Checks): Promise<void> {
  for await (const { level, name, sentence } of findingsOf(config, checks)) {
    console.log(`${level.padEnd(8)} ${name.padEnd(9)} ${sentence}`.trimEnd());
    if (level === 'wrong') process.exitCode = 1;
  }
}

async function checkKeys({ tokens, dataDir }: Config): Promise<string[]> {
  // `signingKey` throws if the local key is missing, whereas `verifyingKeys` would create it.
  await signingKey(tokens, dataDir);
  const { remote } = await verifyingKeys(tokens, dataDir);
  await remote?.check();
  return [];
}

/** Draws words in scripts that need fonts of their own. */
async function checkFonts(): Promise<string[]> {
  try {
    // Loaded here, because the library that draws may be missing.
    const { loadFonts, renderPng } = await import('@worktable/charts');
    loadFonts();
    const title = 'عربي हिन्दी ไทย বাংলা தமிழ் 中文 日本語 한국어';
    const { missing } = renderPng({ title, data: [] });
    if (missing === '') return [];
    return [
      `Charts show boxes for ${missing}. If users write these scripts, install fonts for them, on Debian fonts-noto-core and fonts-noto-cjk.`,
    ];
  } catch (cause) {
    throw new StartupError(`Charts cannot be rendered as PNG or PDF: ${reasonsOf(cause)}`, { cause });
  }
}

async function checkDatabase(opening: Promise<Database>): Promise<string[]> {
  let database: Database;
  try {
    database = await opening;
  } catch (error) {
    if (error instanceof FolderInUse || error instanceof NoDatabase) return [`Not checked: ${error.message}`];
    throw error;
  }
  await assertSessionSettings(database.db);
  const missing = await findMissing(database.db);
  if (missing.length > 0) return [migrationsMissing(missing).message];
  const reason = await findUnreadiness(database.db);
  if (reason !== undefined) throw new StartupError(reason.message);
  return [];
}
