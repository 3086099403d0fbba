import { sql } from 'kysely';
import type { Db } from './tables.ts';

/** The count of a key in the current window, and the time that is left of the window. */
export interface WindowCount {
  readonly points: number;
  readonly leftMs: number;
}

/** Adds points to a key. A window begins with the first points, by the database's clock, which all servers share. */
export async function countInWindow(
  db: Db,
  key: string,
  { points, windowMs }: { readonly points: number; readonly windowMs: number },
): Promise<WindowCount> {
  const { rows } = await sql<WindowCount>`
    insert into rate_limits as counted (key, points, expire) values (${key}, ${points}, ${nowMs} + ${windowMs})
    on conflict (key) do update set
      points = case when ${hasEnded} then excluded.points else counted.points + excluded.points end,
      expire = case when ${hasEnded} then excluded.expire else counted.expire end
    returning points, (expire - ${nowMs})::int as "leftMs"`.execute(db);
  return rows[0] ?? { points, leftMs: windowMs };
}

const nowMs = sql<number>`(extract(epoch from statement_timestamp()) * 1000)::bigint`;
const hasEnded = sql<boolean>`counted.expire <= ${nowMs}`;

/** Deletes the counts of at most `max` windows that have ended, and resolves to their number. */
export async function deleteEndedWindows(db: Db, max: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from rate_limits where key in (select key from rate_limits where expire <= ${nowMs} limit ${max})
      and expire <= ${nowMs}`.execute(db);
  return Number(numAffectedRows ?? 0);
}
