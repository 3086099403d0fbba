import { APICallError, StreamProviderError } from 'ai';
import { networkCodesOf } from '../../error-causes.ts';
import type { Unavailability } from '../runtime.ts';

// The statuses of a server that is busy: too many requests, a model that is being loaded, Anthropic's "overloaded".
const busyStatuses: readonly (number | undefined)[] = [429, 503, 529];

// Errors of Node and its fetch for a connection that failed or ended before the response. A retry does not help with
// other errors, such as a wrong certificate.
const connectionErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** The reason why a model server cannot answer at the moment; undefined if it refuses the request for good. */
export function unavailability(error: unknown, nowMs: number): Unavailability | undefined {
  const status = statusOf(error);
  const { responseHeaders, cause } = APICallError.isInstance(error) ? error : {};
  const retryAfterMs = readRetryAfter(responseHeaders?.['retry-after'], nowMs);
  if (busyStatuses.includes(status)) return { reason: 'model_busy', retryAfterMs };
  // A gateway answers 502 if it cannot reach the model server.
  const isUnreachable = status === 502 || (status === undefined && isConnectionError(cause));
  return isUnreachable ? { reason: 'model_unreachable', retryAfterMs } : undefined;
}

/** The status of a response, or of an error event in a stream, as proxies such as OpenRouter send it. */
export function statusOf(error: unknown): number | undefined {
  return APICallError.isInstance(error) || StreamProviderError.isInstance(error)
    ? error.statusCode
    : undefined;
}

/** `Retry-After` in milliseconds: a number of seconds, or a date (RFC 9110, section 10.2.3). */
export function readRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined;
  const ms = /^\s*\d+(?:\.\d+)?\s*$/.test(value) ? Number(value) * 1000 : Date.parse(value) - nowMs;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

function isConnectionError(error: unknown): boolean {
  return networkCodesOf(error).some((code) => connectionErrors.has(code));
}
