import { Problem } from '../errors.ts';
import { reasonsOf } from '../log.ts';

/**
 * Turns a driver's error into a Problem. A statement that lost against concurrent statements is `Overloaded` and can be
 * repeated, a statement that the database rejects is a `Query error`, and anything else (connection, memory, time) is a
 * `Database error`. The driver's message stays in the cause, which only the log shows.
 */
export function databaseProblem(cause: unknown): Problem {
  const sqlState = sqlStateOf(cause);
  if (contentionStates.test(sqlState)) return contentionProblem(cause);
  return new Problem(rejectedStates.test(sqlState) ? 'Query error' : 'Database error', undefined, { cause });
}

/**
 * Turns the error of an attempt to connect into a Problem. Nothing was done, so it is `Overloaded` if a retry may soon
 * succeed: the database is unreachable, starting or out of connections, or this process has too many open files.
 */
export function connectionProblem(cause: unknown): Problem {
  if (!unreachableStates.test(sqlStateOf(cause))) return databaseProblem(cause);
  return new Problem('Overloaded', unreachable, { retryAfterS: 1, cause });
}

/** System errors, and SQLSTATE too_many_connections and cannot_connect_now. */
const unreachableStates = /^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EMFILE|ENFILE|53300|57P03)$/;

const unreachable =
  'The database accepts no connection at the moment. Nothing was done. Try again after the time in Retry-After.';

/** For a statement that did nothing because of concurrent statements. */
export function contentionProblem(cause: unknown): Problem {
  return new Problem('Overloaded', contention, { retryAfterS: 1, cause });
}

/** Whether a statement did nothing because of concurrent statements. */
export function isContention(error: unknown): boolean {
  return error instanceof Problem && contentionStates.test(sqlStateOf(error.cause));
}

/** Whether a statement was canceled, usually by its time limit, so that it did nothing. */
export function isTimeout(error: unknown): boolean {
  return error instanceof Problem && timeoutStates.test(sqlStateOf(error.cause));
}

/** The driver's message, for the operator who starts the server. */
export function driverMessage(error: unknown): string {
  const cause = error instanceof Problem ? (error.cause ?? error) : error;
  if (cause instanceof Problem) return cause.message;
  return `The driver reports: ${cause instanceof Error ? `${cause.name}: ${reasonsOf(cause)}` : JSON.stringify(cause)}`;
}

/** SQLSTATE lock_not_available, deadlock_detected and serialization_failure. */
const contentionStates = /^(?:55P03|40P01|40001)$/;

/** SQLSTATE query_canceled: `statement_timeout` has ended the statement, or an operator has (`pg_cancel_backend`). */
const timeoutStates = /^57014$/;

const contention =
  'Other requests have been changing the same data for too long. Nothing was done. Try again after the time in Retry-After.';

/** SQLSTATE classes of statements that are wrong in themselves: data, constraint, syntax or missing object. */
const rejectedStates = /^(?:21|22|23|42)...$/;

/**
 * Whether a statement did nothing because another writer was first: its row violates a unique key, which another writer's
 * row has taken, or it lost against a concurrent transaction. It can be repeated at once, with what has been read again.
 */
export function isConflict(error: unknown): boolean {
  return error instanceof Problem && conflictStates.test(sqlStateOf(error.cause));
}

/** SQLSTATE unique_violation, deadlock_detected and serialization_failure. */
const conflictStates = /^(?:23505|40P01|40001)$/;

/** The database user lacks a right (SQLSTATE insufficient_privilege). */
export function isForbidden({ cause }: Problem): boolean {
  return sqlStateOf(cause) === '42501';
}

/** The database is read-only (SQLSTATE read_only_sql_transaction). */
export function isReadOnly(error: unknown): boolean {
  return error instanceof Problem && sqlStateOf(error.cause) === '25006';
}

/**
 * Whether a prepared statement failed because a change of the schema or a pooler has made it unusable. Its connection
 * would fail again and again.
 */
export function hasStalePlan(error: unknown): boolean {
  return error instanceof Problem && stalePlanStates.test(sqlStateOf(error.cause));
}

/** SQLSTATE feature_not_supported (cached plan), invalid_sql_statement_name and duplicate_prepared_statement. */
const stalePlanStates = /^(?:0A000|26000|42P05)$/;

function sqlStateOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
