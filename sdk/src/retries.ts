import { ApiError, ConnectionError, TimeoutError, WorktableError } from './errors.ts';
import type { IdempotentOptions, RetryWait, StreamState } from './options.ts';
import { isOffline } from './page.ts';
import type { OperationId } from './resources.ts';
import { sleep } from './time-limit.ts';

const refusalStatuses: readonly number[] = [408, 429];
const transientStatuses: readonly number[] = [...refusalStatuses, 502, 503, 504];
const backoffMinMs = 500;
const backoffMaxMs = 8_000;
const retryAfterMaxMs = 60_000;

/** The callbacks, deadline and signal of a call or a stream. */
export interface RetryOptions {
  readonly onRetry: (wait: RetryWait) => void;
  readonly deadlineAtMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly onState?: (state: StreamState) => void;
}

/** Waits before the next attempt. Returns false if an attempt would not help, or would start after the deadline. */
export async function waitForRetry(
  operation: OperationId,
  attempt: number,
  error: unknown,
  { onRetry, onState, deadlineAtMs, signal }: RetryOptions,
): Promise<boolean> {
  const nowMs = Date.now();
  const retryInMs = retryDelayMs(error, attempt, { random: Math.random(), nowMs }) ?? Infinity;
  if (nowMs + retryInMs >= deadlineAtMs || !(error instanceof WorktableError)) return false;
  onRetry({ operation, attempt, error, retryInMs });
  onState?.({ state: isOffline() ? 'offline' : 'lost', reason: String(error), retryInMs });
  // A change of the page, such as going online, ends the wait after a lost connection, but not after an error response.
  await sleep(retryInMs, Infinity, signal, !(error instanceof ApiError));
  return true;
}

/** The delay after an attempt with this error; undefined if a retry would not help. */
export function retryDelayMs(
  error: unknown,
  attempt: number,
  { random, nowMs }: { readonly random: number; readonly nowMs: number },
): number | undefined {
  if (!isTransient(error)) return undefined;
  const retryAfter = error instanceof ApiError ? error.headers.get('Retry-After') : null;
  return Math.round(retryAfterMs(retryAfter ?? '', nowMs) ?? backoffMs(attempt, random));
}

/**
 * Returns true if a retry is safe after an attempt with this error. A call that overwrites data is retried only if the
 * server refused it: after a lost response, another client may change the data, and a retry would undo that change.
 */
export function isRetrySafe(method: string, headers: Headers, error: unknown): boolean {
  const overwrites = method === 'PUT' || (method === 'POST' && headers.has('If-Match'));
  if (!overwrites) return true;
  // A 503 without this code may come from a proxy, after the server has handled the request.
  return error instanceof ApiError && (refusalStatuses.includes(error.status) || error.code === 'Overloaded');
}

/** Returns true if the same call may succeed later. */
function isTransient(error: unknown): boolean {
  if (error instanceof TimeoutError) return error.limit === 'attempt';
  if (error instanceof ApiError) return transientStatuses.includes(error.status);
  return error instanceof ConnectionError;
}

/** Exponential backoff with jitter: at least half a second, and at most a ceiling that doubles up to eight seconds. */
function backoffMs(attempt: number, random: number): number {
  const ceilingMs = Math.min(backoffMaxMs, backoffMinMs * 2 ** attempt);
  return backoffMinMs + random * (ceilingMs - backoffMinMs);
}

/**
 * Parses `Retry-After`, which is a number of seconds or a date (RFC 9110, section 10.2.3). Dates are in GMT even if
 * they do not say so. The result is at most a minute.
 */
function retryAfterMs(header: string, nowMs: number): number | undefined {
  // `Date.parse` accepts nearly any text that has a number.
  const date = /^[A-Z].*:/.test(header) ? `${header.replace(' GMT', '')} GMT` : '';
  const ms = /^\d/.test(header) ? Number(header) * 1000 : Date.parse(date) - nowMs;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), retryAfterMaxMs);
}

/** The key in the caller's options or headers, or else a random key. */
export function idempotencyKeyOf({ idempotencyKey, headers = {} }: IdempotentOptions): string {
  const [, inHeaders] =
    Object.entries(headers).find(([name]) => name.toLowerCase() === 'idempotency-key') ?? [];
  return idempotencyKey ?? inHeaders ?? randomKey();
}

/** 128 random bits. Pages without https do not have `crypto.randomUUID`. */
function randomKey(): string {
  const words = crypto.getRandomValues(new Uint32Array(4));
  return Array.from(words, (word) => word.toString(16).padStart(8, '0')).join('');
}

/**
 * Adds the key to the error of a call that may have taken effect. The errors of all attempts count: an earlier attempt
 * may have taken effect even if the last one was refused.
 */
export function attachIdempotencyKey(
  error: unknown,
  idempotencyKey: string | undefined,
  attemptErrors: readonly unknown[] = [],
): unknown {
  const needsKey = idempotencyKey !== undefined && [error, ...attemptErrors].some(mayHaveTakenEffect);
  return needsKey && error instanceof WorktableError ? Object.assign(error, { idempotencyKey }) : error;
}

function mayHaveTakenEffect(error: unknown): boolean {
  if (error instanceof ApiError) return error.status >= 500;
  // The base class is for invalid arguments and options, which are reported before anything is sent.
  return error instanceof WorktableError && error.constructor !== WorktableError;
}
