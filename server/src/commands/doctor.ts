import { statfs } from 'node:fs/promises';
import { findPausedRuntimes } from '../agents/runs/operate-runs.ts';
import { signingKey, verifyingKeys } from '../auth/keys.ts';
import type { Config } from '../config/config.ts';
import { settingsWarnings } from '../config/warnings.ts';
import { hasCitus } from '../db/citus.ts';
import { assertUsable, commandOptions, openDatabase, startFailure, type Database } from '../db/database.ts';
import { findClockFault, findRoleFaults, findWorkerFault } from '../db/faults.ts';
import { findMissing, isMigrated } from '../db/migrate.ts';
import { FolderInUse } from '../db/pglite/folder-lock.ts';
import { NoDatabase } from '../db/pglite/pglite.ts';
import { createReadiness } from '../db/readiness.ts';
import { reasonsOf } from '../log.ts';
import { program } from '../program.ts';
import { StartupError } from '../startup-error.ts';
import { findFontFaults } from './font-faults.ts';
import { nameDatabase } from './open.ts';
import { findProxyFaults } from './proxy-faults.ts';

/**
 * A check throws if a server could not work. It resolves to sentences about possible mistakes, or to undefined if there
 * is nothing to check.
 */
type Check<Subject> = (config: Config, subject: Subject) => Promise<string[] | undefined>;

const checks: Readonly<Record<string, Check<void>>> = {
  settings: () => Promise.resolve(settingsWarnings()),
  keys: findKeyFaults,
  proxy: findProxyFaults,
  fonts: findFontFaults,
};

const databaseChecks: Readonly<Record<string, Check<Database>>> = {
  database: findDatabaseFaults,
  role: (_config, { db, engine }) => (engine === 'PGlite' ? Promise.resolve([]) : findRoleFaults(db)),
  workers: async (_config, { db }) =>
    (await hasCitus(db)) ? withoutFault(await findWorkerFault(db)) : undefined,
  clock: async (_config, { db }) => withoutFault(await findClockFault(db)),
  runs: async (_config, { db }) => {
    const paused = (await isMigrated(db)) ? await findPausedRuntimes(db) : [];
    return paused.map(
      (name) =>
        `Runs of ${name === '*' ? 'all runtimes' : name} are paused. \`${program} runs resume\` begins them.`,
    );
  },
  disk: findDiskFaults,
};

/** Prints a line for each result. The exit code is 1 if a server could not work. */
export async function doctor(config: Config): Promise<void> {
  nameDatabase(config);
  for (const [name, check] of Object.entries(checks)) await report(name, config, () => check(config));
  await report('database', config, async () => {
    const database = await openDatabase(config, commandOptions).catch((error: unknown) => {
      if (error instanceof FolderInUse || error instanceof NoDatabase) return error;
      throw error;
    });
    if (database instanceof StartupError) return [`Not checked: ${database.message}`];
    try {
      await database.db.connection().execute(() => Promise.resolve());
      for (const [name, check] of Object.entries(databaseChecks))
        await report(name, config, () => check(config, database));
    } finally {
      await database.close();
    }
    return undefined;
  });
}

/** Throws the fault if there is one, because a server could not work with it. Otherwise returns an empty result. */
function withoutFault(fault: string | undefined): string[] {
  if (fault === undefined) return [];
  throw new StartupError(fault);
}

/** Prints the sentences of a check. Prints nothing if the check does not apply. */
async function report(name: string, config: Config, check: () => ReturnType<Check<void>>): Promise<void> {
  const print = (level: string, sentence: string): void => {
    console.log(`${level.padEnd(8)} ${name.padEnd(9)} ${sentence}`.trimEnd());
  };
  try {
    const sentences = await check();
    if (sentences?.length === 0) print('ok', '');
    for (const sentence of sentences ?? []) print('warning', sentence);
  } catch (cause) {
    const error = startFailure(cause, config);
    print('wrong', error instanceof StartupError ? error.message : reasonsOf(error));
    process.exitCode = 1;
  }
}

async function findDatabaseFaults(config: Config, database: Database): Promise<string[]> {
  const warnings: string[] = [];
  await assertUsable(config, database, (sentence) => warnings.push(sentence));
  const missing = await findMissing(database.db);
  if (missing !== undefined) return [...warnings, missing];
  const stopping = new AbortController().signal;
  const checkReadiness = createReadiness({ database, remoteKeys: undefined, stopping }, () => undefined);
  const { isReady, sentence } = await checkReadiness();
  if (!isReady) throw new StartupError(sentence);
  return warnings;
}

async function findKeyFaults({ tokens, dataDir }: Config): Promise<string[]> {
  // `signingKey` throws if the local key is missing, whereas `verifyingKeys` would create it.
  await signingKey(tokens, dataDir);
  for (const { remote } of await verifyingKeys(tokens, dataDir)) await remote?.check();
  return [];
}

const freeMbMin = 1024;

async function findDiskFaults({ database, dataDir }: Config): Promise<string[]> {
  if (database.url !== undefined) return [];
  const { bavail, bsize } = await statfs(dataDir);
  const freeMb = Math.round((bavail * bsize) / 2 ** 20);
  if (freeMb > freeMbMin) return [];
  return [
    `The disk of DATA_DIR has ${freeMb} MB free. Make space: below 48 MB the embedded database refuses writes.`,
  ];
}
