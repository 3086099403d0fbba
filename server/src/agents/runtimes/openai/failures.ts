import { APICallError, StreamProviderError } from 'ai';
import { truncateText } from '../../../tools/result-size.ts';
import { networkCodesOf } from '../../error-causes.ts';
import { ModelUnavailable, RuntimeFailure } from '../runtime.ts';
import { statusOf, unavailability } from './unavailability.ts';

/** Thrown if the model wrote neither a text nor a call. Thoughts are not an answer. */
export class EmptyAnswer extends Error {
  override name = 'EmptyAnswer';
}

/** Returns true if a second request may help: the server failed, or its response was empty, incomplete or malformed. */
export function mayBeRepeated(error: unknown): boolean {
  const original = originalError(error);
  if (original instanceof RuntimeFailure) return false;
  const status = statusOf(original);
  if (status === undefined) return !APICallError.isInstance(original);
  return status < 400 || [408, 500, 504].includes(status);
}

/**
 * Describes an error in a sentence for the caller, with a code if the error is well known. The server's own words
 * become the cause, for the log. Neither contains the key.
 */
export function failureFrom(error: unknown, apiKey: string | undefined): RuntimeFailure {
  const original = originalError(error);
  if (original instanceof RuntimeFailure) return original;
  const reason = reasonOf(original);
  // Truncate after replacing the key: a truncated key would not be found.
  const withoutKey = apiKey === undefined ? reason : reason.replaceAll(apiKey, '…');
  const logged = [describeError(original), truncateText(withoutKey, reasonLengthMax)];
  const cause = new Error(logged.filter((each) => each !== '').join(': '));
  const searched = truncateText(reason, reasonLengthMax);
  const match = wellKnown.find(({ pattern }) => pattern.test(searched));
  if (match !== undefined) return new RuntimeFailure(match.sentence, { code: match.code, cause });
  const unavailable = unavailability(original, Date.now());
  const sentence = sentenceFor(original);
  return unavailable === undefined
    ? new RuntimeFailure(sentence, { cause })
    : new ModelUnavailable(sentence, { ...unavailable, cause });
}

// Patterns for the errors of OpenAI, llama.cpp, vLLM, Ollama, Mistral and Gemini. They match the code, the type and the
// message together.
const wellKnown = [
  {
    code: 'context_length_exceeded',
    pattern:
      /context[_ ](?:length|size|window)|maximum context|prompt is too long|too large for model with \d+ maximum/i,
    sentence: 'The conversation is too long for the model. Start another session.',
  },
  {
    code: 'tools_not_supported',
    pattern:
      /not support (?:tool|function)|tools? (?:is|are) not supported|tool[_ ]choice.{0,40}requires|requires? --jinja/i,
    sentence: 'The model cannot call tools. Use an agent without skills, or another runtime.',
  },
  {
    code: 'insufficient_quota',
    // Gemini uses the same message for a limit by the minute, but adds when to retry.
    pattern: /insufficient_quota|exceeded your current quota(?!.*retry in)|insufficient (?:balance|credit)/is,
    sentence: 'The quota of the model server is used up. The operator should check its account.',
  },
  {
    code: 'model_not_found',
    pattern: /model_not_found|model\b.{0,80}(?:not found|does not exist)|no such model/i,
    sentence:
      'The model server does not have the model. The operator should check AGENT_RUNTIME_<NAME>_MODEL.',
  },
] as const;

const reasonLengthMax = 1024;

/**
 * The reason in the server's own words; empty if it sent none. The SDK's messages are left out, because they contain
 * the server's address.
 */
function reasonOf(error: unknown): string {
  return errorTextOf(error) || (APICallError.isInstance(error) ? (error.responseBody ?? '') : '');
}

/** The code, the type and the message of the server's error, without the rest of the body, which may repeat the request. */
export function errorTextOf(error: unknown): string {
  if (StreamProviderError.isInstance(error)) return textOf(error);
  return APICallError.isInstance(error) ? textOf(errorOf(error.responseBody ?? '')) : '';
}

interface ErrorBody {
  readonly error?: unknown;
  readonly detail?: unknown;
  readonly message?: unknown;
}

/**
 * The error in the body of a response: an object, a text, the body itself (older vLLM), or the invalid places
 * (FastAPI).
 */
function errorOf(body: string): object {
  try {
    const parsed = JSON.parse(body) as ErrorBody;
    const { error, detail, message } = parsed;
    if (typeof error === 'object' && error !== null) return error;
    if (Array.isArray(detail)) return { message: detail.map(invalidPart).join(' ') };
    return { ...parsed, message: error ?? detail ?? message };
  } catch {
    return {};
  }
}

/** Where FastAPI found something invalid and why, without the invalid value. */
function invalidPart({ loc, msg }: { readonly loc?: unknown; readonly msg?: unknown }): string {
  return `${Array.isArray(loc) ? loc.join('.') : ''}: ${String(msg)}`;
}

function textOf({ code, type, message }: { code?: unknown; type?: unknown; message?: unknown }): string {
  return [code, type, message].filter((each) => typeof each === 'string').join(' ');
}

function describeError(error: unknown): string {
  const name = error instanceof Error ? error.name : 'an error in the stream';
  const status = statusOf(error);
  const [code] = networkCodesOf(error);
  const detail = status === undefined ? code : `status ${status}`;
  return detail === undefined ? name : `${name}, ${detail}`;
}

/** Unwraps the error of a response that is too large, because the SDK wraps it. */
function originalError(error: unknown): unknown {
  return APICallError.isInstance(error) && error.cause instanceof RuntimeFailure ? error.cause : error;
}

function sentenceFor(error: unknown): string {
  if (error instanceof EmptyAnswer)
    return 'The model answered neither with a text nor with a call of a tool. Send the message again, or use another model.';
  const status = statusOf(error);
  const isResponse = status !== undefined || !APICallError.isInstance(error);
  if (!isResponse) return 'The model server cannot be reached.';
  if (status !== undefined && status >= 300 && status < 400)
    return 'The model server redirects to another address. The operator should check AGENT_RUNTIME_<NAME>_URL.';
  if (status === undefined || status < 400)
    return 'The response of the model server was incomplete or malformed.';
  if (status === 401 || status === 403) return "The model server rejected this server's key.";
  if ([429, 503, 529].includes(status)) return 'The model server is overloaded, or loads the model.';
  const sentence = `The model server responded with status ${status}.`;
  return status === 404 ? `${sentence} ${adviceOn404}` : sentence;
}

const adviceOn404 = 'The operator should check AGENT_RUNTIME_<NAME>_URL (with /v1) and _MODEL.';
