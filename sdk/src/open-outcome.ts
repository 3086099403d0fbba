import { ApiError, RequestInProgressError, WorktableError } from './errors.ts';

/**
 * Adds the key to the error of a keyed call that may have taken effect. An earlier attempt may have, whatever the server
 * answered to the last one, so the failures of all attempts count.
 */
export function withKey(
  error: unknown,
  idempotencyKey: string | undefined,
  failures: readonly unknown[] = [],
): unknown {
  if (idempotencyKey === undefined || !(error instanceof WorktableError)) return error;
  return [error, ...failures].some(leavesOpen) ? Object.assign(error, { idempotencyKey }) : error;
}

function leavesOpen(error: unknown): boolean {
  if (error instanceof ApiError) return error.status >= 500 || error instanceof RequestInProgressError;
  // The class above all stands alone for an argument or option that makes no sense: such a call is never sent.
  return error instanceof WorktableError && error.constructor !== WorktableError;
}
