import { sql } from 'kysely';
import { program, StartupError } from '../lib/startup-error.ts';
import { assertNoServers, withSnapshot } from './database.ts';
import { findRecorded, liftTimeLimits, readChartLinkKey } from './migrate.ts';
import type { Db } from './tables.ts';
import {
  hasUser,
  insertUserRows,
  nothingOf,
  readUserIds,
  readUserRows,
  type RowCounts,
} from './user-rows.ts';

/**
 * Copies all rows of a user to another database, or none. The other database must have the same schema and no rows of
 * the user. `assertComplete` may throw to prevent the copy.
 */
export function copyUser(
  from: Db,
  to: Db,
  userId: string,
  assertComplete: (snapshot: Db) => Promise<void>,
): Promise<RowCounts> {
  return inTransactions(from, to, async (source, target) => {
    if (!(await hasUser(source, userId))) throw nothingOf(userId);
    if (await hasUser(target, userId))
      throw new StartupError(
        `The target has rows of the user ${userId}, or is the same database. Name another one.`,
      );
    await assertComplete(source);
    return copyRows(source, target, [userId]);
  });
}

/** Copies the rows of all users to an empty database. A failed copy leaves it empty. */
export function copyAllUsers(from: Db, to: Db): Promise<RowCounts> {
  return inTransactions(from, to, async (source, target) => {
    const [userId] = await readUserIds(target);
    if (userId !== undefined)
      throw new StartupError(`The target must be empty, but it has rows of the user ${userId}.`);
    const counts = await copyRows(source, target, await readUserIds(source));
    // The target gets the key of the source, so that addresses of charts stay valid.
    await sql`update chart_link_key set secret = ${await readChartLinkKey(source)}`.execute(target);
    // A server that was started during the copy would write rows that the snapshot lacks.
    await assertNoServers(source);
    return counts;
  });
}

/** Runs a function with a snapshot of the source and a transaction on the target, if their schemas are the same. */
function inTransactions(
  from: Db,
  to: Db,
  run: (source: Db, target: Db) => Promise<RowCounts>,
): Promise<RowCounts> {
  return withSnapshot(from, (source) =>
    to.transaction().execute(async (target) => {
      await liftTimeLimits(target);
      const [own, other] = await Promise.all([source, target].map(findRecorded));
      if (JSON.stringify(own) !== JSON.stringify(other))
        throw new StartupError(
          `The target has the schema of another version. Run \`${program} migrate\` of one version on both databases.`,
        );
      return run(source, target);
    }),
  );
}

async function copyRows(source: Db, target: Db, userIds: readonly string[]): Promise<RowCounts> {
  const counts = new Map<string, number>();
  for (const userId of userIds) {
    for await (const page of readUserRows(source, userId)) {
      await insertUserRows(target, page);
      counts.set(page.table, (counts.get(page.table) ?? 0) + page.rows.length);
    }
    await assertClock(target, userId);
  }
  for (const table of ['audit_logs', 'runs']) await advanceSequence(source, target, table);
  return counts;
}

/**
 * The database's clock orders changes. If the target's clock were behind, readers would miss the next changes.
 */
async function assertClock(target: Db, userId: string): Promise<void> {
  const { rows } = await sql`
    select from audit_logs
    where user_id = ${userId} and recorded_us > (extract(epoch from clock_timestamp()) * 1000000)::bigint
    limit 1`.execute(target);
  if (rows.length > 0)
    throw new StartupError(
      'The clock of the target is behind the clock of the source, so the next changes would be listed before earlier ones. Correct it (NTP), and try again.',
    );
}

/**
 * Advances a sequence, so that new rows get higher numbers than the copied rows. Never lowers the sequence, because
 * rows of other users may have higher numbers.
 */
async function advanceSequence(source: Db, target: Db, table: string): Promise<void> {
  const sequence = sql`pg_get_serial_sequence(${table}, 'seq')::regclass`;
  const { rows } = await sql<{ last: string | null }>`
    select pg_sequence_last_value(${sequence})::text as last`.execute(source);
  const last = rows[0]?.last ?? null;
  await sql`
    select setval(${sequence}, ${last}::bigint)
    where coalesce(pg_sequence_last_value(${sequence}), 0) < ${last}::bigint`.execute(target);
}
