import { Problem } from '../errors.ts';

/**
 * Turns what a driver throws into a Problem. A statement that the database rejects is a `Query error`; all else (no
 * connection, no room, no time) is a `Database error`. The driver's words stay in the cause, for the log only.
 */
export function databaseProblem(cause: unknown): Problem {
  return new Problem(isRejectedStatement(cause) ? 'Query error' : 'Database error', undefined, { cause });
}

/** SQLSTATE classes of statements that are wrong in themselves: data, constraint, syntax or missing object. */
function isRejectedStatement(cause: unknown): boolean {
  const sqlState = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof sqlState === 'string' && /^(?:21|22|23|42)...$/.test(sqlState);
}
