import { APICallError, RetryError } from 'ai';
import { RuntimeFailure } from '../runtime.ts';

/** Whether a response was successful but incomplete or malformed, so that a retry may help. */
export function isMalformedResponse(error: unknown): boolean {
  const last = lastAttemptError(error);
  if (last instanceof RuntimeFailure) return false;
  return !APICallError.isInstance(last) || (last.statusCode !== undefined && last.statusCode < 400);
}

/** Whether the server rejected the request because of `stream_options`, which older servers do not know. */
export function refusesUsage(error: unknown): boolean {
  const last = lastAttemptError(error);
  return APICallError.isInstance(last) && /stream_options/.test(last.responseBody ?? '');
}

/** Describes the error in a sentence for the caller. Address, key and messages appear neither in it nor in the log. */
export function failureFrom(error: unknown): RuntimeFailure {
  const last = lastAttemptError(error);
  if (last instanceof RuntimeFailure) return last;
  return new RuntimeFailure(sentenceFor(last), { cause: new Error(describeError(last)) });
}

/** The messages of the SDK are left out, because they contain the address and the response of the server. */
function describeError(error: unknown): string {
  const name = error instanceof Error ? error.name : 'an error in the stream';
  const status = APICallError.isInstance(error) ? error.statusCode : undefined;
  return status === undefined ? name : `${name}, status ${status}`;
}

/** The SDK collects the errors of its own attempts, and wraps the one of a response that is too large. */
function lastAttemptError(error: unknown): unknown {
  const last = RetryError.isInstance(error) ? error.lastError : error;
  return APICallError.isInstance(last) && last.cause instanceof RuntimeFailure ? last.cause : last;
}

function sentenceFor(error: unknown): string {
  if (!APICallError.isInstance(error)) return 'The response of the model server was incomplete or malformed.';
  const { statusCode } = error;
  if (statusCode === undefined) return 'The model server cannot be reached.';
  if (statusCode === 401 || statusCode === 403) return "The model server rejected this server's key.";
  if (statusCode === 429) return 'The model server is overloaded.';
  if (statusCode < 400) return 'The response of the model server was incomplete or malformed.';
  const sentence = `The model server responded with status ${statusCode}.`;
  return statusCode === 404 ? `${sentence} ${adviceOn404}` : sentence;
}

const adviceOn404 = 'The operator should check AGENT_RUNTIME_<NAME>_URL (with /v1) and _MODEL.';
