import { truncateText } from '../../../tools/result-size.ts';
import { failureReason, RequestFailed, textOfError } from '../../../lib/fetch.ts';
import { ModelUnavailable, RuntimeFailure } from '../runtime.ts';
import { asObject, type Json } from '../../../lib/json.ts';

/**
 * Thrown if a response ends too early, has no answer, or is not what the protocol describes. A message is a sentence for
 * the caller.
 */
export class Malformed extends Error {
  override name = 'Malformed';
}

/** An error that the model server has sent, as its response or inside a stream. */
export class ServerError extends Error {
  override name = 'ServerError';
  readonly status: number | undefined;
  readonly retryAfter: string | undefined;

  constructor(body: unknown, status?: number, retryAfter?: string) {
    super(textOfError(body));
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** The error in an event of a stream, or in a response with status 200, as proxies such as OpenRouter send it. */
export function errorIn(chunk: Json): ServerError | undefined {
  const { error, object } = chunk;
  // Some servers send an empty error with each chunk.
  if (!Object.values(Object(error) as object).some(Boolean) && object !== 'error') return undefined;
  const { status, code } = asObject(error) ?? chunk;
  return new ServerError(
    chunk,
    [status, code].map(Number).find((each) => each >= 400 && each < 600),
  );
}

const textLengthMax = 1024;

const malformed = 'The response of the model server was incomplete or malformed.';
const unreachable = 'The model server cannot be reached.';
const busy = 'The model server is overloaded, or loads the model.';
const redirected =
  'The model server redirects to another address. The operator should check AGENT_RUNTIME_<NAME>_URL.';
const adviceOn404 = 'The operator should check AGENT_RUNTIME_<NAME>_URL (with /v1) and _MODEL.';

/**
 * Describes an error in a sentence for the caller. The server's own words become the cause, for the log. Neither
 * contains the API key.
 */
export function failureFrom(error: unknown, apiKey: string | undefined): RuntimeFailure {
  if (error instanceof RuntimeFailure) return error;
  const status = statusOf(error);
  const reason = failureReason(error);
  // Truncate after replacing the key: a truncated key would not be found.
  const withoutKey = apiKey === undefined ? reason : reason.replaceAll(apiKey, '…');
  const text = truncateText(withoutKey, textLengthMax);
  const cause = new Error(status === undefined ? text : `status ${status}: ${text}`);
  const fail = (sentence: string, code?: RuntimeFailure['code']): RuntimeFailure =>
    new RuntimeFailure(sentence, code, cause);
  const wait = (sentence: string, why: ModelUnavailable['reason'], retryAfterMs?: number): RuntimeFailure =>
    new ModelUnavailable(sentence, why, cause, retryAfterMs);
  // A failure without a code means that the address is unusable, so waiting would not help.
  if (error instanceof RequestFailed)
    return error.code === undefined ? fail(unreachable) : wait(unreachable, 'model_unreachable');
  if (error instanceof Malformed && error.message !== '') return fail(error.message);
  if (!(error instanceof ServerError)) return fail(malformed);
  const named = namedErrors.find(({ words }) => words.test(cause.message));
  if (named !== undefined) return fail(named.sentence, named.code);
  if (status === undefined) return fail(malformed);
  if (status < 400) return fail(redirected);
  if (status === 401) return fail("The model server rejected this server's key.");
  const retryAfterMs = readRetryAfter(error.retryAfter, Date.now());
  if ([429, 498, 503, 529].includes(status)) return wait(busy, 'model_busy', retryAfterMs);
  const sentence = `The model server responded with status ${status}.`;
  if (status >= 500 || [408, 409, 425].includes(status))
    return wait(sentence, 'model_unreachable', retryAfterMs);
  if (status === 403) return fail(`${sentence} It refuses this server's key or the content of the request.`);
  return fail(status === 404 ? `${sentence} ${adviceOn404}` : sentence);
}

export function statusOf(error: unknown): number | undefined {
  return error instanceof ServerError ? error.status : undefined;
}

// Statuses due to the key, the account, the address or a temporary state. A changed request would not help.
const otherStatuses = [401, 402, 404, 408, 409, 425, 429, 498];

/**
 * Returns true if the server does not accept the request. llama.cpp answers 500 if a chat template fails, and an error
 * inside a stream may have no status.
 */
export function isRefusal(error: unknown): error is ServerError {
  if (!(error instanceof ServerError)) return false;
  const { status = 500 } = error;
  return status >= 400 && status <= 500 && !otherStatuses.includes(status);
}

// Errors of OpenAI, llama.cpp, vLLM, Ollama, Mistral and Gemini, by their status or words. They decide the code and the
// sentence of a failed run, and that the server is not asked again.
const namedErrors = [
  {
    code: 'context_length_exceeded',
    words:
      /^status 413|context[_ ](?:length|size|window)|maximum context|prompt is too long|too large for model with \d+ maximum/i,
    sentence: 'The conversation is too long for the model. Start another session.',
  },
  {
    code: 'insufficient_quota',
    // Gemini uses the same message for a limit per minute, but adds when to retry.
    words:
      /^status 402|insufficient_quota|exceeded your current quota(?!.*retry in)|insufficient (?:balance|credit)/is,
    sentence: 'The quota of the model server is used up. The operator should check its account.',
  },
  {
    code: 'model_not_found',
    words: /model_not_found|model\b.{0,80}(?:not found|does not exist)|no such model/i,
    sentence:
      'The model server does not have the model. The operator should check AGENT_RUNTIME_<NAME>_MODEL.',
  },
] as const;

/** `Retry-After` in milliseconds: a number of seconds, or a date (RFC 9110, section 10.2.3). */
export function readRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined;
  const ms = /^\s*\d+(?:\.\d+)?\s*$/.test(value) ? Number(value) * 1000 : Date.parse(value) - nowMs;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
