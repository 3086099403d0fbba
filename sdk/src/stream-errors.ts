import { AbortError, ConnectionError, TimeoutError, WorktableError } from './errors.ts';

/** Whether the events of a run can be resumed after this error: the stream broke, rather than being aborted. */
export function isResumable(error: unknown): boolean {
  if (error instanceof TimeoutError) return error.limit === 'attempt';
  return error instanceof ConnectionError || !(error instanceof WorktableError);
}

/** Whether the caller's signal or deadline ended the stream. */
export function isAbortOrDeadline(error: unknown): boolean {
  return error instanceof AbortError || (error instanceof TimeoutError && error.limit === 'deadline');
}
