import { APICallError, RetryError } from 'ai';
import { RuntimeFailure } from '../runtime.ts';

/** Whether a server began to answer and then did not make sense, so that asking again may help. */
export function isBrokenAnswer(error: unknown): boolean {
  const last = lastOf(error);
  return !APICallError.isInstance(last) || (last.statusCode !== undefined && last.statusCode < 400);
}

/** What went wrong, in a sentence for the caller. Neither address, key nor what was said goes into it or into the log. */
export function failureFrom(error: unknown): RuntimeFailure {
  const last = lastOf(error);
  const cause = new Error(last instanceof Error ? last.message : 'The model server sent an error.');
  return new RuntimeFailure(sentenceFor(last), { cause });
}

/** The SDK gathers the errors of its own attempts. */
function lastOf(error: unknown): unknown {
  return RetryError.isInstance(error) ? error.lastError : error;
}

function sentenceFor(error: unknown): string {
  if (!APICallError.isInstance(error)) return 'The model server broke off its answer or sent nonsense.';
  const { statusCode } = error;
  if (statusCode === undefined) return 'The model server cannot be reached.';
  if (statusCode === 401 || statusCode === 403) return "The model server refuses this server's key.";
  if (statusCode === 429) return 'The model server has too much to do.';
  if (statusCode < 400) return 'The model server broke off its answer or sent nonsense.';
  return `The model server answered with status ${statusCode}.`;
}
