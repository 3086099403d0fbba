import { open, type FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { hasRunsInProgress } from '../agents/runs/run-store.ts';
import type { Config } from '../config/config.ts';
import { copyUser as copyRowsOfUser } from '../db/copy.ts';
import { withDatabase, withSnapshot } from '../db/database.ts';
import type { Db } from '../db/tables.ts';
import { deleteUserRows, hasUser, positionAfter, readUserRows, type RowPosition } from '../db/user-rows.ts';
import { userTableNames } from '../db/user-tables.ts';
import { StartupError } from '../startup-error.ts';
import { describeRows, targetOf } from './target.ts';

/** Writes the rows of a user to a file or to the standard output. A file that has some of them already is continued. */
export async function exportUser(config: Config, userId: string, path: string | undefined): Promise<void> {
  await withDatabase(config, async (db) => {
    if (!(await hasUser(db, userId)))
      throw new StartupError(`This database has nothing of the user ${userId}.`);
    await using file = path === undefined ? undefined : await open(path, 'a+', 0o600).catch(throwUnwritable);
    const from = file === undefined ? undefined : await findPosition(db, file, userId);
    const output = file?.createWriteStream() ?? process.stdout;
    await withSnapshot(db, (snapshot) =>
      pipeline(Readable.from(lines(snapshot, userId, from)), output, { end: file !== undefined }),
    ).catch(throwUnwritable);
  });
}

/** Throws a StartupError instead of an error of the file or of the pipe. */
function throwUnwritable(cause: unknown): never {
  if (cause instanceof Error && 'syscall' in cause)
    throw new StartupError(`The export cannot be written: ${cause.message}.`, { cause });
  throw cause;
}

async function* lines(db: Db, userId: string, from: RowPosition | undefined): AsyncGenerator<string> {
  for await (const { table, rows } of readUserRows(db, userId, from))
    yield rows.map((row) => `{"table":"${table}","row":${row}}\n`).join('');
}

/** The position after the last line of a file; undefined for an empty file. Cuts off a line that was not completed. */
async function findPosition(db: Db, file: FileHandle, userId: string): Promise<RowPosition | undefined> {
  const { line, end } = await readLastLine(file);
  await file.truncate(end);
  if (line === '') return undefined;
  const table = userTableNames.find((name) => line.startsWith(`{"table":"${name}",`));
  const owner = /^.*?"row":\{"user_id":("(?:[^"\\]|\\.)*")/.exec(line)?.[1];
  if (table === undefined || owner === undefined || JSON.parse(owner) !== userId)
    throw new StartupError(`The file is not an export of the user ${userId}. Name another one.`);
  return positionAfter(db, table, line);
}

/** The last line that ends with a line break, and its end. */
async function readLastLine(file: FileHandle): Promise<{ line: string; end: number }> {
  const { size } = await file.stat();
  for (let length = 2 ** 16; ; length *= 2) {
    const start = Math.max(0, size - length);
    const { buffer } = await file.read(Buffer.alloc(size - start), 0, size - start, start);
    const end = buffer.lastIndexOf('\n') + 1;
    const begin = end === 0 ? 0 : buffer.subarray(0, end - 1).lastIndexOf('\n') + 1;
    if (begin > 0 || start === 0)
      return { line: buffer.toString('utf8', begin, Math.max(0, end - 1)), end: start + end };
  }
}

export async function deleteUser(config: Config, userId: string): Promise<void> {
  const counts = await withDatabase(config, (db) => deleteUserRows(db, userId));
  console.log(`Deleted ${describeRows(counts)}. The database has nothing more of the user ${userId}.`);
}

/** Copies a user to another database that servers may use. */
export async function copyUser(config: Config, userId: string, to: string): Promise<void> {
  const assertComplete = async (snapshot: Db): Promise<void> => {
    if (await hasRunsInProgress(snapshot, userId))
      throw new StartupError(
        `Runs of the user ${userId} are in progress, and servers on both databases would execute them. Try again when they have ended, or cancel them.`,
      );
  };
  const counts = await withDatabase(config, (source) =>
    withDatabase(targetOf(config, to), (target) =>
      copyRowsOfUser(source, target, { userId, assertComplete }),
    ),
  );
  console.log(`Copied ${describeRows(counts)}.`);
}
