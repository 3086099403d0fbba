import { AbortError, ConnectionError, TimeoutError, WorktableError } from './errors.ts';

/** Whether a stream broke, rather than that the caller or the deadline ended it. */
export function isBreakage(error: unknown): boolean {
  if (error instanceof TimeoutError) return error.limit === 'attempt';
  return error instanceof ConnectionError || !(error instanceof WorktableError);
}

/** Whether an error tells by itself why the events end. */
export function isEnding(error: unknown): boolean {
  return error instanceof AbortError || (error instanceof TimeoutError && error.limit === 'deadline');
}
