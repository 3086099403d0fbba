import { Problem } from '../errors.ts';

/**
 * Turns what a driver throws into a Problem. A statement that was in the way of others is `Overloaded` and can be
 * repeated, one that the database rejects is a `Query error`; all else (no connection, no room, no time) is a
 * `Database error`. The driver's words stay in the cause, for the log only.
 */
export function databaseProblem(cause: unknown): Problem {
  const sqlState = sqlStateOf(cause);
  if (lostToOthers.test(sqlState)) return contended(cause);
  return new Problem(rejected.test(sqlState) ? 'Query error' : 'Database error', undefined, { cause });
}

/** A statement that did nothing because others are in its way. */
export function contended(cause: unknown): Problem {
  return new Problem('Overloaded', contention, { retryAfterS: 1, cause });
}

/** What a driver said, for the operator who is there at the start to mend it. */
export function driversReason(error: unknown): string {
  const cause = error instanceof Problem ? (error.cause ?? error) : error;
  if (cause instanceof Problem) return cause.message;
  return `Its driver says: ${cause instanceof Error ? String(cause) : JSON.stringify(cause)}`;
}

/** A lock that did not come in time, a deadlock, a transaction that another one made impossible. */
const lostToOthers = /^(?:55P03|40P01|40001)$/;

/** A statement that took longer than its time. */
const outOfTime = /^57014$/;

const contention =
  'Other requests are changing the same data for too long. Nothing was done. Try again after the time in Retry-After.';

/** SQLSTATE classes of statements that are wrong in themselves: data, constraint, syntax or missing object. */
const rejected = /^(?:21|22|23|42)...$/;

/**
 * Whether a statement about many may have failed because of one of them, and has done nothing: rejected, in the way of
 * others, out of time, or without its plan. A lost connection tells neither.
 */
export function isRetryableAlone({ cause }: Problem): boolean {
  const sqlState = sqlStateOf(cause);
  return [rejected, lostToOthers, outOfTime].some((states) => states.test(sqlState)) || hasStalePlan(cause);
}

/** The user of the database lacks a right (SQLSTATE insufficient_privilege). */
export function isForbidden({ cause }: Problem): boolean {
  return sqlStateOf(cause) === '42501';
}

/** The database takes no changes (SQLSTATE read_only_sql_transaction). */
export function isReadOnly({ cause }: Problem): boolean {
  return sqlStateOf(cause) === '25006';
}

/** A named statement whose plan the schema or a pooler has taken away: its connection would fail again and again. */
export function hasStalePlan(error: unknown): boolean {
  return stalePlan.test(sqlStateOf(error));
}

function sqlStateOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

const stalePlan = /^(?:0A000|26000|42P05)$/;
