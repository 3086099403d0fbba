import { pipeline } from 'node:stream/promises';
import { hasRunsInProgress } from '../agents/runs/run-store.ts';
import type { Config } from '../config/config.ts';
import { copyUser as copyRowsOfUser } from '../db/copy.ts';
import { withSnapshot } from '../db/database.ts';
import type { Db } from '../db/tables.ts';
import { deleteUserRows, hasUser, nothingOf, readUserRows } from '../db/user-rows.ts';
import { StartupError } from '../lib/startup-error.ts';
import { describeRows, targetOf, withDatabase } from './open.ts';

/** Prints the rows of a user. */
export async function exportUser(config: Config, userId: string): Promise<void> {
  await withDatabase(config, async (db) => {
    if (!(await hasUser(db, userId))) throw nothingOf(userId);
    await withSnapshot(db, (snapshot) => pipeline(lines(snapshot, userId), process.stdout, { end: false }));
  });
}

async function* lines(db: Db, userId: string): AsyncGenerator<string> {
  for await (const { table, rows } of readUserRows(db, userId))
    yield rows.map((row) => `{"table":"${table}","row":${row}}\n`).join('');
}

export async function deleteUser(config: Config, userId: string): Promise<void> {
  const counts = await withDatabase(config, (db) => deleteUserRows(db, userId));
  if (counts.size === 0) throw nothingOf(userId);
  console.log(`Deleted ${describeRows(counts)}. The database has nothing more of the user ${userId}.`);
}

/** Copies a user to another database. Servers may be running on both databases. */
export async function copyUser(config: Config, userId: string, to: string | undefined): Promise<void> {
  const assertComplete = async (snapshot: Db): Promise<void> => {
    if (await hasRunsInProgress(snapshot, userId))
      throw new StartupError(
        `Runs of the user ${userId} are in progress, and servers on both databases would execute them. Try again when they have ended, or cancel them.`,
      );
  };
  const target = targetOf(config, to);
  const counts = await withDatabase(config, (source) =>
    withDatabase(target, (db) => copyRowsOfUser(source, db, userId, assertComplete)),
  );
  console.log(`Copied ${describeRows(counts)}.`);
}
