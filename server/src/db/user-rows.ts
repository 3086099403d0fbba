import { sql, type RawBuilder } from 'kysely';
import { StartupError } from '../lib/startup-error.ts';
import { hasSqlState } from './errors.ts';
import { userTableNames, userTables, type Db, type UserTable } from './tables.ts';

/** Numbers of rows by table. */
export type RowCounts = ReadonlyMap<string, number>;

interface Rows {
  readonly table: UserTable;
  /** Each row as JSON that Postgres has written, so that a bigint stays exact. */
  readonly rows: readonly string[];
}

// A row has up to a mebibyte, so this limits the memory of a command.
const pageRowsMax = 100;

/** All rows of a user in pages, table by table in the order of `userTables`. */
export async function* readUserRows(db: Db, userId: string): AsyncGenerator<Rows> {
  for (const table of userTableNames) {
    const key = keyColumns(table);
    const isOfUser = sql`user_id = ${userId}`;
    let isOnPage = isOfUser;
    for (;;) {
      const { rows } = await sql<{ json: string; position: string[] }>`
        select row_to_json(entry)::text as json, array[${keyColumns(table, '::text')}] as position
        from ${sql.table(table)} entry where ${isOnPage} order by ${key} limit ${pageRowsMax}`.execute(db);
      const last = rows.at(-1);
      if (last === undefined) break;
      yield { table, rows: rows.map(({ json }) => json) };
      isOnPage = sql`${isOfUser} and (${key}) > (${sql.join(last.position)})`;
    }
  }
}

/** The columns of a table's primary key after `user_id`. */
function keyColumns(table: UserTable, cast = ''): RawBuilder<unknown> {
  return sql.raw(userTables[table].map((name) => `${name}${cast}`).join(', '));
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
export async function readUserIds(db: Db): Promise<string[]> {
  const ids = userTableNames.map((table) => sql`select user_id from ${sql.table(table)}`);
  const { rows } = await sql<{ user_id: string }>`${sql.join(ids, sql` union `)} order by user_id`.execute(
    db,
  );
  return rows.map(({ user_id: userId }) => userId);
}

export async function hasUser(db: Db, userId: string): Promise<boolean> {
  const { done } = await readUserRows(db, userId).next();
  return done !== true;
}

/** The error of a command for a user without rows: the command may have the address of the wrong database. */
export function nothingOf(userId: string): StartupError {
  return new StartupError(`This database has nothing of the user ${userId}.`);
}

const roundsMax = 10;
const deletedRowsMax = 1000;

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
 * Deletes from every table, and adds the numbers of deleted rows to `deleted`. Resolves to true if there was nothing to
 * delete. The turns of sessions come before the other tables of the user, so that no more runs start.
 */
async function deleteRound(db: Db, userId: string, deleted: Map<string, number>): Promise<boolean> {
  let isEmpty = true;
  const deleteFrom = async (
    table: string,
    key: RawBuilder<unknown>,
    isOfUser: RawBuilder<unknown>,
  ): Promise<void> => {
    let count = deletedRowsMax;
    while (count >= deletedRowsMax) {
      const { numAffectedRows } = await sql`
        delete from ${sql.table(table)} where ${isOfUser} and (${key}) in (
          select ${key} from ${sql.table(table)} where ${isOfUser} limit ${deletedRowsMax})`.execute(db);
      count = Number(numAffectedRows ?? 0);
      if (count > 0) deleted.set(table, (deleted.get(table) ?? 0) + count);
      isEmpty &&= count === 0;
    }
  };
  // `limits/rate-limit.ts` makes these keys.
  const isLimit = sql`(substr(key, strpos(key, ':') + 1) = ${userId}
    or starts_with(key, ${`run-agent:${JSON.stringify([userId]).slice(0, -1)},`}))`;
  await deleteFrom('rate_limits', sql`key`, isLimit);
  for (const table of userTableNames.toReversed())
    await deleteFrom(table, keyColumns(table), sql`user_id = ${userId}`).catch((error: unknown) => {
      // A run that was started meanwhile has a session, which refers to an agent.
      if (!hasSqlState(error, 'foreign_key_violation')) throw error;
      isEmpty = false;
    });
  return isEmpty;
}
