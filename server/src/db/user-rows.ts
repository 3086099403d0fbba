import { sql, type RawBuilder } from 'kysely';
import { StartupError } from '../lib/startup-error.ts';
import { hasSqlState } from './errors.ts';
import { limitPageBytes } from './page-size-limit.ts';
import type { Db } from './tables.ts';
import { userTableNames, userTables, type UserTable } from './user-tables.ts';

/** The values of a row's key, as texts. */
type Key = readonly string[];

/** Numbers of rows by table. */
export type RowCounts = ReadonlyMap<string, number>;

interface Rows {
  readonly table: UserTable;
  /** Each row as JSON that Postgres has written, so that a bigint stays exact. */
  readonly rows: readonly string[];
}

const rowsMax = 1000;
const pageBytesMax = 2 ** 20;

/** All rows of a user in pages of bounded size, table by table in the order of `userTables`. */
export async function* readUserRows(db: Db, userId: string): AsyncGenerator<Rows> {
  for (const table of userTableNames) {
    let after: Key | undefined;
    const texts = await longColumns(db, table);
    for (;;) {
      const page = await readPage(db, { userId, table, texts, after });
      if (page.length === 0) break;
      yield { table, rows: page.map(({ row }) => row) };
      after = page.at(-1)?.key;
    }
  }
}

interface RowPage {
  readonly userId: string;
  readonly table: UserTable;
  readonly texts: readonly string[];
  readonly after: Key | undefined;
}

async function readPage(
  db: Db,
  { userId, table, texts, after }: RowPage,
): Promise<{ row: string; key: string[] }[]> {
  const names = userTables[table];
  const order = refs(names);
  const follows = after === undefined ? sql`` : sql`and (${order}) > (${sql.join(after)})`;
  const keys = limitPageBytes({
    entries: sql`
      select * from ${sql.table(table)} where user_id = ${userId} ${follows} order by ${order} limit ${rowsMax}`,
    columns: ['user_id', ...names],
    texts,
    order,
    bytesMax: pageBytesMax,
  });
  // Only rows of the page are converted to JSON, because the conversion reads their long texts.
  const { rows } = await sql<{ row: string; key: string[] }>`
    select row_to_json(entry)::text as row, ${keyOf('entry', table)} as key
    from (${keys}) page join ${sql.table(table)} entry using (user_id, ${order})
    where entry.user_id = ${userId} order by ${refs(names, 'entry')}`.execute(db);
  return rows;
}

function refs(names: readonly string[], table?: string): RawBuilder<unknown> {
  return sql.join(names.map((name) => sql.ref(table === undefined ? name : `${table}.${name}`)));
}

function keyOf(from: string, table: UserTable): RawBuilder<unknown> {
  return sql`array[${sql.join(userTables[table].map((name) => sql`${sql.ref(`${from}.${name}`)}::text`))}]`;
}

/** The columns without a fixed length. */
async function longColumns(db: Db, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and attlen = -1 and not attisdropped`.execute(db);
  return rows.map(({ name }) => name);
}

/** Inserts rows that `readUserRows` has read. */
export async function insertUserRows(transaction: Db, { table, rows }: Rows): Promise<void> {
  await sql`
    insert into ${sql.table(table)} overriding system value
    select * from json_populate_recordset(null::${sql.table(table)}, ${`[${rows.join(',')}]`}::json)`.execute(
    transaction,
  );
}

/** The ids of all users that have rows, in order. */
export async function* readUserIds(db: Db): AsyncGenerator<string> {
  const firstOf = (table: string, after: string): RawBuilder<unknown> =>
    sql`(select min(user_id) from ${sql.table(table)} where user_id > ${after})`;
  let after = '';
  for (;;) {
    const { rows } = await sql<{ user_id: string | null }>`
      select least(${sql.join(userTableNames.map((table) => firstOf(table, after)))}) as user_id`.execute(db);
    const userId = rows[0]?.user_id;
    if (userId == null) return;
    yield userId;
    after = userId;
  }
}

export async function hasUser(db: Db, userId: string): Promise<boolean> {
  for (const table of userTableNames) {
    const { rows } = await sql`
      select from ${sql.table(table)} where user_id = ${userId} limit 1`.execute(db);
    if (rows.length > 0) return true;
  }
  return false;
}

/** The error of a command about a user without rows, which may have been given to the wrong database. */
export function nothingOf(userId: string): StartupError {
  return new StartupError(`This database has nothing of the user ${userId}.`);
}

const roundsMax = 10;

/**
 * Deletes all rows of a user in small statements, and then the rows that were written in the meantime. Resolves to the
 * number of deleted rows by table. Throws a StartupError if the user keeps writing. After an interruption, another call
 * deletes the rest.
 */
export async function deleteUserRows(db: Db, userId: string): Promise<RowCounts> {
  const deleted = new Map<string, number>();
  for (let round = 1; round <= roundsMax; round += 1)
    if (await deleteRound(db, userId, deleted)) return deleted;
  throw new StartupError(
    `The user ${userId} is still writing. Withdraw the user's tokens at their issuer, and then repeat the command.`,
  );
}

/**
 * Deletes once from every table, and adds the numbers of deleted rows to `deleted`. Resolves to true if nothing was
 * left.
 */
async function deleteRound(db: Db, userId: string, deleted: Map<string, number>): Promise<boolean> {
  let isEmpty = true;
  for (const [table, deletePiece] of piecesOf(db, userId)) {
    let count: number;
    do {
      count = await deletePiece().catch((error: unknown) => {
        // A run that has started since has a session, which refers to its agent.
        if (!hasSqlState(error, 'foreign_key_violation')) throw error;
        isEmpty = false;
        return 0;
      });
      if (count > 0) deleted.set(table, (deleted.get(table) ?? 0) + count);
      isEmpty &&= count === 0;
    } while (count >= rowsMax);
  }
  return isEmpty;
}

/** Functions that delete some rows of a table each. The turns of sessions come first, so that no more runs start. */
function piecesOf(db: Db, userId: string): (readonly [string, () => Promise<number>])[] {
  const deleteWhere = async (table: string, condition: RawBuilder<unknown>): Promise<number> => {
    const { numAffectedRows } = await sql`delete from ${sql.table(table)} where ${condition}`.execute(db);
    return Number(numAffectedRows ?? 0);
  };
  const ofUser = userTableNames.toReversed().map((table) => {
    const key = refs(userTables[table]);
    const some = sql`user_id = ${userId} and (${key}) in (
      select ${key} from ${sql.table(table)} where user_id = ${userId} limit ${rowsMax})`;
    return [table, () => deleteWhere(table, some)] as const;
  });
  // `limits/rate-limit.ts` makes these keys.
  const limitsOfUser = sql`
    substr(key, strpos(key, ':') + 1) = ${userId}
    or starts_with(key, ${`run-agent:${JSON.stringify([userId]).slice(0, -1)},`})`;
  return [['rate_limits', () => deleteWhere('rate_limits', limitsOfUser)], ...ofUser];
}
