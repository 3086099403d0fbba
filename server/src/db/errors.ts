import { Problem } from '../contract/problem.ts';
import { reasonsOf } from '../ops/log.ts';

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
  if (isOneOf(sqlState, contention)) return overloaded('contended', cause);
  if (sqlState === sqlStates.disk_full) return overloaded('diskFull', cause);
  if (unavailableStates.test(sqlState)) return overloaded('unavailable', cause);
  return new Problem(rejectedStates.test(sqlState) ? 'Query error' : 'Database error', undefined, { cause });
}

/**
 * Rethrows the error of work that is safe to repeat: it changes nothing, has an `Idempotency-Key`, or only counts a
 * request against a limit. If a connection broke, to Postgres or between its nodes, throws `Overloaded` instead, which
 * invites the client to repeat the request.
 */
export function throwRepeatable(error: unknown): never {
  if (!isLost(error)) throw error;
  throw overloaded('unanswered', error.cause);
}

/** Before a commit, a lost connection means that nothing was done, so the problem becomes `Overloaded`. */
export function uncommittedProblem(problem: Problem): Problem {
  return isLost(problem) ? overloaded('unavailable', problem.cause) : problem;
}

const later = 'Try again after the time in Retry-After.';

/** The details of `Overloaded`: what the database cannot do, and what became of the request. */
const reasons = {
  unreachable: `The database accepts no connection at the moment. Nothing was done. ${later}`,
  unavailable: `The database cannot do this at the moment. Nothing was done. ${later}`,
  diskFull: `The disk of the database is full. Nothing was done. ${later}`,
  // Other statements changed the same rows.
  contended: `Other requests have been changing the same data for too long. Nothing was done. ${later}`,
  unanswered: 'The database has not answered. Send the same request again after the time in Retry-After.',
} as const;

export function overloaded(reason: keyof typeof reasons, cause: unknown): Problem {
  return new Problem('Overloaded', reasons[reason], { retryAfterS: 1, cause });
}

/** Returns true if the whole database fails, not just one statement. */
export function isOutage(problem: Problem): boolean {
  const isUnavailable = unavailableStates.test(sqlStateOf(problem.cause));
  return isUnavailable || isLost(problem);
}

/** Returns true if the database works, but has rejected a statement, which therefore did nothing. */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof Problem) || isOutage(error)) return false;
  // Both drivers pass the severity that Postgres reports.
  return error.cause instanceof Error && 'severity' in error.cause;
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

/**
 * SQLSTATE class connection_exception; internal_error, which Citus reports if a worker ended during a statement; system
 * errors; and the driver's own errors, which have no code.
 */
const lostStates = /^(?:08...|XX000|E[A-Z]+|)$/;

/** The driver's message, for the operator. */
export function driverMessage(error: unknown): string {
  const cause = error instanceof Problem ? (error.cause ?? error) : error;
  if (cause instanceof Problem) return cause.message;
  return `The driver reports: ${cause instanceof Error ? `${cause.name}: ${reasonsOf(cause)}` : JSON.stringify(cause)}`;
}

/** SQLSTATE classes of statements that can never succeed: data, constraint, syntax or missing object. */
const rejectedStates = /^(?:21|22|23|42)...$/;

/**
 * Returns true if a statement did nothing because another writer was first: the statement violated a unique key, or
 * lost against a concurrent transaction. The caller can read again and repeat the statement at once.
 */
export function isConflict(error: unknown): boolean {
  return hasSqlState(error, 'unique_violation', 'deadlock_detected', 'serialization_failure');
}

// In each round, at least one of the competing writers succeeds.
const attemptsMax = 100;

/** Repeats work that did nothing because another writer was first. Rejects with `Overloaded` after many attempts. */
export async function repeatOnConflict<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let count = 1; ; count += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!isConflict(error)) throw error;
      if (count === attemptsMax) throw overloaded('contended', error);
    }
  }
}

/** Returns true if a statement did nothing because other transactions held locks or changed the same rows. */
export function isContention(error: unknown): boolean {
  return hasSqlState(error, ...contention);
}

const contention = ['lock_not_available', 'deadlock_detected', 'serialization_failure'] as const;

/**
 * Returns true if a schema change or a pooler has made a prepared statement unusable: on this connection, it would
 * always fail.
 */
export function hasStalePlan(error: unknown): boolean {
  return hasSqlState(
    error,
    'feature_not_supported',
    'invalid_sql_statement_name',
    'duplicate_prepared_statement',
  );
}

/** Returns true if a statement failed with one of these SQLSTATEs. */
export function hasSqlState(error: unknown, ...names: readonly SqlStateName[]): boolean {
  return error instanceof Problem && isOneOf(sqlStateOf(error.cause), names);
}

function isOneOf(sqlState: string, names: readonly SqlStateName[]): boolean {
  return names.some((name) => sqlStates[name] === sqlState);
}

type SqlStateName = keyof typeof sqlStates;

/** SQLSTATEs by their names in the documentation of Postgres. */
export const sqlStates = {
  // "cached plan must not change result type"
  feature_not_supported: '0A000',
  foreign_key_violation: '23503',
  unique_violation: '23505',
  read_only_sql_transaction: '25006',
  invalid_sql_statement_name: '26000',
  serialization_failure: '40001',
  deadlock_detected: '40P01',
  insufficient_privilege: '42501',
  duplicate_prepared_statement: '42P05',
  disk_full: '53100',
  lock_not_available: '55P03',
  // By `statement_timeout` or by an operator (`pg_cancel_backend`).
  query_canceled: '57014',
} as const;

/** The SQLSTATE of a driver's error, or the code of a system error; empty if there is none. */
export function sqlStateOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
