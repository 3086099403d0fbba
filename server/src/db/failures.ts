import { Problem } from '../errors.ts';

/**
 * Turns what a driver throws into a Problem. A statement that was in the way of others is `Overloaded` and can be
 * repeated, one that the database rejects is a `Query error`; all else (no connection, no room, no time) is a
 * `Database error`. The driver's words stay in the cause, for the log only.
 */
export function databaseProblem(cause: unknown): Problem {
  const sqlState = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (lostToOthers.test(sqlState)) return new Problem('Overloaded', contention, { retryAfterS: 1, cause });
  return new Problem(rejected.test(sqlState) ? 'Query error' : 'Database error', undefined, { cause });
}

/** A lock that did not come in time, a deadlock, a transaction that another one made impossible. */
const lostToOthers = /^(?:55P03|40P01|40001)$/;

const contention =
  'Other requests are changing the same data for too long. Nothing was done. Try again after the time in Retry-After.';

/** SQLSTATE classes of statements that are wrong in themselves: data, constraint, syntax or missing object. */
const rejected = /^(?:21|22|23|42)...$/;
