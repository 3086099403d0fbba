import { Problem } from '../errors.ts';
import { reasonsOf } from '../log.ts';

/**
 * Converts the error of a statement to a Problem:
 *
 * - `Overloaded` for a statement that did nothing and may soon succeed: because of a conflict with other statements, or
 *   because the database lacks resources, is shutting down or is read-only.
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

/** Converts the error of an attempt to connect to a Problem. No statement was sent, so nothing was done. */
export function connectionProblem(cause: unknown): Problem {
  return new Problem('Overloaded', unreachable, { retryAfterS: 1, cause });
}

/**
 * Converts the error of a request that can safely be repeated, because it changes nothing or has an `Idempotency-Key`.
 * If a connection broke, to Postgres or between its nodes, the client may repeat the request: its outcome does not
 * matter.
 */
export function repeatableProblem(error: unknown): unknown {
  if (!isLost(error)) return error;
  return new Problem('Overloaded', unanswered, { retryAfterS: 1, cause: error.cause });
}

/** Converts the error of a statement in a transaction to a Problem: nothing was done, because there was no commit. */
export function uncommittedProblem(error: unknown): unknown {
  if (!isLost(error)) return error;
  return new Problem('Overloaded', unavailable, { retryAfterS: 1, cause: error.cause });
}

/** Returns true if the whole database fails, and not only one statement. */
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

/**
 * SQLSTATE classes insufficient_resources and operator_intervention (without query_canceled), and
 * read_only_sql_transaction.
 */
const unavailableStates = /^(?:53...|57P..|25006)$/;

/** SQLSTATE class connection_exception, system errors, and the driver's own errors, which have no code. */
const lostStates = /^(?:08...|E[A-Z]+|)$/;

const unreachable =
  'The database accepts no connection at the moment. Nothing was done. Try again after the time in Retry-After.';

const unavailable =
  'The database cannot do this at the moment. Nothing was done. Try again after the time in Retry-After.';

const unanswered =
  'The database has not answered. Send the same request again after the time in Retry-After.';

/** The problem of a statement that did nothing because other statements changed the same rows. */
export function contentionProblem(cause: unknown): Problem {
  return new Problem('Overloaded', contention, { retryAfterS: 1, cause });
}

/** Returns true if a statement did nothing because of locks or changes of other statements. */
export function isContention(error: unknown): boolean {
  return error instanceof Problem && contentionStates.test(sqlStateOf(error.cause));
}

/** Returns true if a statement was canceled, so that it did nothing. Usually its time limit has canceled it. */
export function isTimeout(error: unknown): boolean {
  return error instanceof Problem && timeoutStates.test(sqlStateOf(error.cause));
}

/** The driver's message, for the operator. */
export function driverMessage(error: unknown): string {
  const cause = error instanceof Problem ? (error.cause ?? error) : error;
  if (cause instanceof Problem) return cause.message;
  return `The driver reports: ${cause instanceof Error ? `${cause.name}: ${reasonsOf(cause)}` : JSON.stringify(cause)}`;
}

/** SQLSTATE lock_not_available, deadlock_detected and serialization_failure. */
const contentionStates = /^(?:55P03|40P01|40001)$/;

/** SQLSTATE query_canceled, by `statement_timeout` or by an operator (`pg_cancel_backend`). */
const timeoutStates = /^57014$/;

const contention =
  'Other requests have been changing the same data for too long. Nothing was done. Try again after the time in Retry-After.';

/** SQLSTATE classes of statements that can never succeed: data, constraint, syntax or missing object. */
const rejectedStates = /^(?:21|22|23|42)...$/;

/**
 * Returns true if a statement did nothing because another writer was first. It violated a unique key, or it lost
 * against a concurrent transaction. The caller can read again and repeat the statement at once.
 */
export function isConflict(error: unknown): boolean {
  return error instanceof Problem && conflictStates.test(sqlStateOf(error.cause));
}

/** SQLSTATE unique_violation, deadlock_detected and serialization_failure. */
const conflictStates = /^(?:23505|40P01|40001)$/;

/** Returns true if a row was not deleted because another row refers to it (SQLSTATE foreign_key_violation). */
export function isReferenced(error: unknown): boolean {
  return error instanceof Problem && sqlStateOf(error.cause) === '23503';
}

/** Returns true if the database role lacks a privilege (SQLSTATE insufficient_privilege). */
export function isForbidden({ cause }: Problem): boolean {
  return sqlStateOf(cause) === '42501';
}

/** Returns true if the disk of the database is full (SQLSTATE disk_full). */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Problem && sqlStateOf(error.cause) === '53100';
}

/** Returns true if the database is read-only (SQLSTATE read_only_sql_transaction). */
export function isReadOnly(error: unknown): boolean {
  return error instanceof Problem && sqlStateOf(error.cause) === '25006';
}

/**
 * Returns true if a prepared statement has become unusable, after a change of the schema or behind a pooler. It would
 * fail on its connection each time.
 */
export function hasStalePlan(error: unknown): boolean {
  return error instanceof Problem && stalePlanStates.test(sqlStateOf(error.cause));
}

/** SQLSTATE feature_not_supported (cached plan), invalid_sql_statement_name and duplicate_prepared_statement. */
const stalePlanStates = /^(?:0A000|26000|42P05)$/;

function sqlStateOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
