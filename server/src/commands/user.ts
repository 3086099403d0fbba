import { existsSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { hasRunsInProgress } from '../agents/runs/run-store.ts';
import type { Config } from '../config/config.ts';
import { copyUser as copyRowsOfUser } from '../db/copy.ts';
import { withSnapshot } from '../db/database.ts';
import type { Db } from '../db/tables.ts';
import { deleteUserRows, hasUser, nothingOf, readUserRows } from '../db/user-rows.ts';
import { StartupError } from '../lib/startup-error.ts';
import type { Arguments } from './arguments.ts';
import { describeRows, targetOf, withDatabase } from './open.ts';

/** Writes the rows of a user to a new file or to standard output. */
export async function exportUser(config: Config, { get, find }: Arguments): Promise<void> {
  const [userId, path] = [get('id'), find('file')];
  if (path !== undefined && existsSync(path))
    throw new StartupError(`${path} exists already. Name another file, or remove it.`);
  await withDatabase(config, async (db) => {
    if (!(await hasUser(db, userId))) throw nothingOf(userId);
    await withSnapshot(db, (snapshot) => {
      const rows = lines(snapshot, userId);
      return path === undefined ? pipeline(rows, process.stdout, { end: false }) : writeWhole(path, rows);
    }).catch(throwUnwritable);
  });
}

/** Writes a file under another name, and renames it when it is complete. */
async function writeWhole(path: string, content: AsyncIterable<string>): Promise<void> {
  const part = `${path}.part`;
  // Another user of the machine may have created a file of this name, which would keep that user's rights.
  await rm(part, { force: true });
  await writeFile(part, content, { flag: 'wx', mode: 0o600, flush: true });
  await rename(part, path);
}

/** Throws a StartupError for an error of the file or pipe. */
function throwUnwritable(cause: unknown): never {
  if (cause instanceof Error && 'syscall' in cause)
    throw new StartupError(`The export cannot be written: ${cause.message}.`, { cause });
  throw cause;
}

async function* lines(db: Db, userId: string): AsyncGenerator<string> {
  for await (const { table, rows } of readUserRows(db, userId))
    yield rows.map((row) => `{"table":"${table}","row":${row}}\n`).join('');
}

export async function deleteUser(config: Config, { get }: Arguments): Promise<void> {
  const userId = get('id');
  const counts = await withDatabase(config, (db) => deleteUserRows(db, userId));
  if (counts.size === 0) throw nothingOf(userId);
  console.log(`Deleted ${describeRows(counts)}. The database has nothing more of the user ${userId}.`);
}

/** Copies a user to another database. Servers may be running on both databases. */
export async function copyUser(config: Config, { get }: Arguments): Promise<void> {
  const userId = get('id');
  const assertComplete = async (snapshot: Db): Promise<void> => {
    if (await hasRunsInProgress(snapshot, userId))
      throw new StartupError(
        `Runs of the user ${userId} are in progress, and servers on both databases would execute them. Try again when they have ended, or cancel them.`,
      );
  };
  const target = targetOf(config, get('to'));
  const counts = await withDatabase(config, (source) =>
    withDatabase(target, (db) => copyRowsOfUser(source, db, userId, assertComplete)),
  );
  console.log(`Copied ${describeRows(counts)}.`);
}
