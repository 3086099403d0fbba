import { Problem } from '../contract/problem.ts';
import { reasonsOf } from '../ops/log.ts';

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
  duplicate_prepared_statement: '42P05',
  disk_full: '53100',
  lock_not_available: '55P03',
} as const;

/** Kinds of failures by SQLSTATE or code of a system error. The first pattern that matches decides. */
const failures = {
  /** Other transactions hold locks or changed the same rows. */
  contended: /^(?:40001|40P01|55P03)$/,
  diskFull: /^53100$/,
  /** Classes insufficient_resources and operator_intervention (without query_canceled), and a read-only database. */
  unavailable: /^(?:53...|57P..|25006)$/,
  /** Classes of errors in the statement itself: cardinality, data, constraint, and syntax or missing object. */
  rejected: /^(?:21|22|23|42)...$/,
  /**
   * The outcome is unknown: class connection_exception; internal_error, which Citus reports if a worker ended during a
   * statement; system errors; and the driver's own errors, which have no code.
   */
  lost: /^(?:08...|XX000|E[A-Z]+|)$/,
} as const;

type Failure = keyof typeof failures | 'other';

function failureOf(cause: unknown): Failure {
  const kinds = Object.keys(failures) as (keyof typeof failures)[];
  return kinds.find((kind) => failures[kind].test(sqlStateOf(cause))) ?? 'other';
}

/**
 * Converts the error of a statement to a Problem:
 *
 * - `Overloaded` for a statement that did nothing and may soon succeed. Before the commit of a transaction, this includes
 *   a lost connection.
 * - `Query error` for a statement that the database rejects.
 * - `Database error` for anything else.
 *
 * The driver's message stays in the cause, which only the log shows.
 */
export function databaseProblem(cause: unknown, isUncommitted = false): Problem {
  const failure = failureOf(cause);
  if (failure === 'lost' && isUncommitted) return overloaded('unavailable', cause);
  if (failure === 'contended' || failure === 'diskFull' || failure === 'unavailable')
    return overloaded(failure, cause);
  return new Problem(failure === 'rejected' ? 'Query error' : 'Database error', undefined, { cause });
}

const later = 'Try again after the time in Retry-After.';

/** The details of `Overloaded`: what the database cannot do, and what became of the request. */
const reasons = {
  unavailable: `The database cannot do this at the moment. Nothing was done. ${later}`,
  diskFull: `The disk of the database is full. Nothing was done. ${later}`,
  contended: `Other requests have been changing the same data for too long. Nothing was done. ${later}`,
  unanswered: 'The database has not answered. Send the same request again after the time in Retry-After.',
} as const;

export function overloaded(reason: keyof typeof reasons, cause: unknown): Problem {
  return new Problem('Overloaded', reasons[reason], { retryAfterS: 1, cause });
}

/**
 * Rethrows the error of work that is safe to repeat: work that changes nothing, has an `Idempotency-Key`, or only counts
 * a request against a limit. If the connection to Postgres or between nodes of Citus broke, throws `Overloaded` instead,
 * which invites the client to repeat the request.
 */
export function throwRepeatable(error: unknown): never {
  const isLost =
    error instanceof Problem && error.code === 'Database error' && failureOf(error.cause) === 'lost';
  throw isLost ? overloaded('unanswered', error.cause) : error;
}

/** Returns true if the whole database fails, not just one statement. */
export function isOutage({ cause }: Problem): boolean {
  return ['diskFull', 'unavailable', 'lost'].includes(failureOf(cause));
}

/** Returns true if the database works, but has rejected a statement, which therefore did nothing. */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof Problem) || isOutage(error)) return false;
  // In both drivers, only errors that Postgres itself reports have a severity.
  return error.cause instanceof Error && 'severity' in error.cause;
}

/** The driver's message, for the operator. */
export function driverMessage(error: unknown): string {
  const cause = error instanceof Problem ? error.cause : undefined;
  return `The driver reports: ${reasonsOf(cause ?? error)}`;
}

/** Returns true if a statement did nothing because other transactions held locks or changed the same rows. */
export function isContended(error: unknown): boolean {
  return error instanceof Problem && failureOf(error.cause) === 'contended';
}

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
export function hasSqlState(error: unknown, ...names: readonly (keyof typeof sqlStates)[]): boolean {
  return error instanceof Problem && names.some((name) => sqlStates[name] === sqlStateOf(error.cause));
}

/** The SQLSTATE of a driver's error, or the code of a system error; empty if there is none. */
export function sqlStateOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
