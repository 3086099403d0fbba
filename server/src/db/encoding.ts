import { sql } from 'kysely';
import { StartupError } from '../startup-error.ts';
import type { Db } from './tables.ts';

/** Throws a StartupError if the database cannot store every text. Calls `warn` if it ignores case only in ASCII. */
export async function checkEncoding(db: Db, warn: (sentence: string) => void): Promise<void> {
  const { rows } = await sql<{ encoding: string; database: string }>`
    select current_setting('server_encoding') as encoding, current_database() as database`.execute(db);
  const [{ encoding, database } = { encoding: '', database: '' }] = rows;
  if (encoding !== 'UTF8')
    throw new StartupError(
      `The database ${database} has the encoding ${encoding}, which cannot store every text. Create one with ${create}, and set DATABASE_URL to it.`,
    );
  if (!(await knowsCapitals(db)))
    warn(
      `The database ${database} has a character type such as C, so the order by title distinguishes capital letters beyond ASCII from small ones. Restore its dump into one that was created with ${create}.`,
    );
}

/** Tests the behaviour instead of the name of the character type: locale providers other than libc use other names. */
async function knowsCapitals(db: Db): Promise<boolean> {
  const { rows } = await sql`select where 'Ä' ilike 'ä'`.execute(db);
  return rows.length > 0;
}

const create = `\`create database NAME template template0 encoding 'UTF8' locale 'C.UTF-8'\``;
