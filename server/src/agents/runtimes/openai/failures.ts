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
  return new RuntimeFailure(sentenceFor(last), { cause: new Error(nameOf(last)) });
}

/** The messages of the SDK are left out: they repeat the address, and whatever the server has answered. */
function nameOf(error: unknown): string {
  const name = error instanceof Error ? error.name : 'an error in the stream';
  const status = APICallError.isInstance(error) ? error.statusCode : undefined;
  return status === undefined ? name : `${name}, status ${status}`;
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
  const sentence = `The model server answered with status ${statusCode}.`;
  return statusCode === 404 ? `${sentence} ${adviceOn404}` : sentence;
}

const adviceOn404 = 'The operator should check AGENT_RUNTIME_<NAME>_URL (with /v1) and _MODEL.';
