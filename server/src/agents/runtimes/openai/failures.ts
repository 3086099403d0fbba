import { truncateText } from '../../../tools/result-size.ts';
import { failureReason, RequestFailed } from '../../../lib/fetch.ts';
import { ModelUnavailable, RuntimeFailure, type StepRequest } from '../runtime.ts';
import { asObject, type Json } from '../../../lib/json.ts';

/** Thrown if a response ends too early, or is not what the protocol describes. */
export class Malformed extends Error {
  override name = 'Malformed';
}

/** Thrown if the model wrote neither a text nor a call. Thoughts are not an answer. */
export class EmptyAnswer extends Malformed {
  override name = 'EmptyAnswer';
}

/** An error that the model server has sent, as its response or inside a stream. */
export class ServerError extends Error {
  override name = 'ServerError';
  readonly status: number | undefined;
  /** The value of `Retry-After`. */
  readonly retryAfter: string | undefined;

  /** Uses only the error in a body, because the rest may repeat the request. A body without an error is used whole. */
  constructor(body: string | Json, status?: number, retryAfter?: string) {
    super(typeof body === 'string' ? textOf(errorOf(body)) || body : textOf(body));
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** The error in an event of a stream, or in a response with status 200, as proxies such as OpenRouter send it. */
export function errorIn(chunk: Json): ServerError | undefined {
  if (chunk['error'] == null && chunk['object'] !== 'error') return undefined;
  const error = errorOf(JSON.stringify(chunk));
  const status = [error['status'], error['code']].map(Number).find((each) => each >= 400 && each < 600);
  return new ServerError(error, status);
}

/** The error in the body of a response: an object, a text, the body itself (vLLM), or the invalid places (FastAPI). */
function errorOf(body: string): Json {
  try {
    const parsed = asObject(JSON.parse(body)) ?? {};
    const { error, detail, message } = parsed;
    if (Array.isArray(detail)) return { message: detail.map(invalidPart).join(' ') };
    return asObject(error) ?? { ...parsed, message: error ?? detail ?? message };
  } catch {
    return {};
  }
}

/** Where FastAPI found something invalid and why, without the invalid value. */
function invalidPart(part: unknown): string {
  const { loc, msg } = asObject(part) ?? {};
  return `${Array.isArray(loc) ? loc.join('.') : ''}: ${String(msg)}`;
}

function textOf({ code, type, param, message }: Json): string {
  return [code, type, param, message].filter((each) => typeof each === 'string').join(' ');
}

const textLengthMax = 1024;

/**
 * Describes an error in a sentence for the caller. The server's own words become the cause, for the log. Neither
 * contains the API key.
 */
export function failureFrom(
  error: unknown,
  apiKey: string | undefined,
  options: StepRequest['options'],
): RuntimeFailure {
  if (error instanceof RuntimeFailure) return error;
  const { status, retryAfter } = error instanceof ServerError ? error : noResponse;
  const reason = failureReason(error);
  // Truncate after replacing the key: a truncated key would not be found.
  const withoutKey = truncateText(
    apiKey === undefined ? reason : reason.replaceAll(apiKey, '…'),
    textLengthMax,
  );
  const cause = new Error(status === undefined ? withoutKey : `status ${status}: ${withoutKey}`);
  const text = error instanceof ServerError ? `${status} ${truncateText(reason, textLengthMax)}` : '';
  const named = namedErrors.find(({ words }) => words.test(text));
  if (named !== undefined) return new RuntimeFailure(named.sentence, named.code, cause);
  const refused = isRefusal(error)
    ? optionNames.find(([name, words]) => options[name] != null && words.test(text))
    : undefined;
  if (refused !== undefined) {
    const sentence = `The model server refuses the option ${refused[0]} of the agent. Change it, or leave it out.`;
    return new RuntimeFailure(sentence, 'invalid_option', cause);
  }
  const [sentence, unavailable] = describe(error, status);
  if (unavailable === undefined) return new RuntimeFailure(sentence, undefined, cause);
  return new ModelUnavailable(sentence, unavailable, {
    retryAfterMs: readRetryAfter(retryAfter, Date.now()),
    cause,
  });
}

// Undefined is included, because an error inside a stream may have no status.
const refusalStatuses: readonly (number | undefined)[] = [400, 413, 422, 500, undefined];

/** Returns true if the server does not accept the request. llama.cpp answers 500 if a chat template fails. */
export function isRefusal(error: unknown): error is ServerError {
  return error instanceof ServerError && refusalStatuses.includes(error.status);
}

// The options of an agent, and what a refusal calls them.
const optionNames = [
  ['temperature', /\btemperature\b/],
  ['max_output_tokens', /\bmax_(?:completion_)?tokens\b/],
  ['reasoning_effort', /\breasoning_effort\b/],
] as const satisfies readonly (readonly [keyof StepRequest['options'], RegExp])[];

const noResponse = { status: undefined, retryAfter: undefined };

// Errors of OpenAI, llama.cpp, vLLM, Ollama, Mistral and Gemini, by their status or words. They decide the code and the
// sentence of a failed run, and that the server is not asked again.
const namedErrors = [
  {
    code: 'context_length_exceeded',
    words:
      /^413|context[_ ](?:length|size|window)|maximum context|prompt is too long|too large for model with \d+ maximum/i,
    sentence: 'The conversation is too long for the model. Start another session.',
  },
  {
    code: 'tools_not_supported',
    words:
      /not support (?:tool|function)|tools? (?:is|are) not supported|tool[_ ]choice.{0,40}requires|requires? --jinja/i,
    sentence: 'The model cannot call tools. Use an agent without skills, or another runtime.',
  },
  {
    code: 'insufficient_quota',
    // Gemini uses the same message for a limit per minute, but adds when to retry.
    words:
      /^402|insufficient_quota|exceeded your current quota(?!.*retry in)|insufficient (?:balance|credit)/is,
    sentence: 'The quota of the model server is used up. The operator should check its account.',
  },
  {
    code: 'model_not_found',
    words: /model_not_found|model\b.{0,80}(?:not found|does not exist)|no such model/i,
    sentence:
      'The model server does not have the model. The operator should check AGENT_RUNTIME_<NAME>_MODEL.',
  },
] as const;

const unanswered =
  'The model answered neither with a text nor with a call of a tool. Send the message again, or use another model.';
const redirected =
  'The model server redirects to another address. The operator should check AGENT_RUNTIME_<NAME>_URL.';
const adviceOn404 = 'The operator should check AGENT_RUNTIME_<NAME>_URL (with /v1) and _MODEL.';

/** A sentence, and a reason to wait if the server cannot answer at the moment. */
function describe(
  error: unknown,
  status: number | undefined,
): readonly [sentence: string, reason?: ModelUnavailable['reason'] | undefined] {
  if (error instanceof EmptyAnswer) return [unanswered];
  // A failure without a code means that the address is unusable, so waiting would not help.
  if (error instanceof RequestFailed)
    return [
      'The model server cannot be reached.',
      error.code === undefined ? undefined : 'model_unreachable',
    ];
  if (status === undefined) return ['The response of the model server was incomplete or malformed.'];
  if (status < 400) return [redirected];
  if (status === 401 || status === 403) return ["The model server rejected this server's key."];
  if ([429, 503, 529].includes(status))
    return ['The model server is overloaded, or loads the model.', 'model_busy'];
  const sentence = `The model server responded with status ${status}.`;
  if (status >= 500 || status === 408) return [sentence, 'model_unreachable'];
  return [status === 404 ? `${sentence} ${adviceOn404}` : sentence];
}

/** `Retry-After` in milliseconds: a number of seconds, or a date (RFC 9110, section 10.2.3). */
export function readRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined;
  const ms = /^\s*\d+(?:\.\d+)?\s*$/.test(value) ? Number(value) * 1000 : Date.parse(value) - nowMs;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
