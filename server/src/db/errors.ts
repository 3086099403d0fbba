import { Problem } from '../errors.ts';
import { reasonsOf } from '../log.ts';

/**
 * Turns the error that a statement was answered with into a Problem:
 *
 * - `Overloaded` for a statement that did nothing and may soon succeed: it lost against concurrent statements, or the
 * database lacks resources, shuts down or is read-only.
 * - `Query error` for a statement that the database rejects.
 * - `Database error` for anything else.
 *
 * The driver's message stays in the cause, which only the log shows.
 */
export function databaseProblem(cause: unknown): Problem {
  const sqlState = sqlStateOf(cause);
  if (contentionStates.test(sqlState)) return contentionProblem(cause);
  if (unavailableStates.test(sqlState))
    return new Problem('Overloaded', unavailable, { retryAfterS: 1, cause });
  return new Problem(rejectedStates.test(sqlState) ? 'Query error' : 'Database error', undefined, { cause });
}

/** Turns the error of an attempt to connect into a Problem. No statement was sent, so nothing was done. */
export function connectionProblem(cause: unknown): Problem {
  return new Problem('Overloaded', unreachable, { retryAfterS: 1, cause });
}

/**
 * The Problem of a request that may be repeated, because it changes nothing or has an `Idempotency-Key`. For such a
 * request it does not matter whether anything was done before the connection broke, be it the connection to Postgres or
 * one from there to another node.
 */
export function repeatableProblem(error: unknown): unknown {
  if (!isLost(error)) return error;
  return new Problem('Overloaded', unanswered, { retryAfterS: 1, cause: error.cause });
}

/** Returns true if the database fails as a whole, and not only for one statement. */
export function isOutage(problem: Problem): boolean {
  const isUnavailable = unavailableStates.test(sqlStateOf(problem.cause));
  return isUnavailable || isLost(problem);
}

/** Returns true if a statement was sent and its outcome is unknown. */
function isLost(error: unknown): error is Problem {
  return (
    error instanceof Problem && error.code === 'Database error' && lostStates.test(sqlStateOf(error.cause))
  );
}

/** SQLSTATE classes insufficient_resources and operator_intervention, except query_canceled, and read_only_sql_transaction. */
const unavailableStates = /^(?:53...|57P..|25006)$/;

/** SQLSTATE class connection_exception, errors of the system, and the driver's own, which have no code. */
const lostStates = /^(?:08...|E[A-Z]+|)$/;

const unreachable =
  'The database accepts no connection at the moment. Nothing was done. Try again after the time in Retry-After.';

const unavailable =
  'The database cannot do this at the moment. Nothing was done. Try again after the time in Retry-After.';

const unanswered =
  'The database has not answered. Send the same request again after the time in Retry-After.';

/** The problem of a statement that did nothing because of concurrent statements. */
export function contentionProblem(cause: unknown): Problem {
  return new Problem('Overloaded', contention, { retryAfterS: 1, cause });
}

/** Returns true if a statement did nothing because of concurrent statements. */
export function isContention(error: unknown): boolean {
  return error instanceof Problem && contentionStates.test(sqlStateOf(error.cause));
}

/** Returns true if a statement was canceled, usually by its time limit, so that it did nothing. */
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
 * Returns true if a statement did nothing because another writer was first: it violated a unique key with that writer's
 * row, or lost against a concurrent transaction. The caller can read again and repeat the statement at once.
 */
export function isConflict(error: unknown): boolean {
  return error instanceof Problem && conflictStates.test(sqlStateOf(error.cause));
}

/** SQLSTATE unique_violation, deadlock_detected and serialization_failure. */
const conflictStates = /^(?:23505|40P01|40001)$/;

/** Another row refers to the row that a statement would delete (SQLSTATE foreign_key_violation). */
export function isReferenced(error: unknown): boolean {
  return error instanceof Problem && sqlStateOf(error.cause) === '23503';
}

/** The database user lacks a right (SQLSTATE insufficient_privilege). */
export function isForbidden({ cause }: Problem): boolean {
  return sqlStateOf(cause) === '42501';
}

/** The disk of the database is full (SQLSTATE disk_full). */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Problem && sqlStateOf(error.cause) === '53100';
}

/** The database is read-only (SQLSTATE read_only_sql_transaction). */
export function isReadOnly(error: unknown): boolean {
  return error instanceof Problem && sqlStateOf(error.cause) === '25006';
}

/**
 * Returns true if a prepared statement failed because a change of the schema or a pooler has made it unusable. Its
 * connection would fail again and again.
 */
export function hasStalePlan(error: unknown): boolean {
  return error instanceof Problem && stalePlanStates.test(sqlStateOf(error.cause));
}

/** SQLSTATE feature_not_supported (cached plan), invalid_sql_statement_name and duplicate_prepared_statement. */
const stalePlanStates = /^(?:0A000|26000|42P05)$/;

function sqlStateOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
