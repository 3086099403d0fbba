import { ApiError, WorktableError } from './errors.ts';
import { headerOf } from './headers.ts';
import type { IdempotentOptions } from './options.ts';

/** The key in the caller's options or headers, or else a random key. */
export function idempotencyKeyOf(options: IdempotentOptions): string {
  return options.idempotencyKey ?? headerOf(options, 'idempotency-key') ?? randomKey();
}

/** 128 random bits. Pages without https do not have `crypto.randomUUID`. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
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
  if (idempotencyKey === undefined || !(error instanceof WorktableError)) return error;
  return [error, ...attemptErrors].some(mayHaveTakenEffect)
    ? Object.assign(error, { idempotencyKey })
    : error;
}

function mayHaveTakenEffect(error: unknown): boolean {
  if (error instanceof ApiError) return error.status >= 500;
  // The base class is for invalid arguments and options, which are reported before anything is sent.
  return error instanceof WorktableError && error.constructor !== WorktableError;
}
