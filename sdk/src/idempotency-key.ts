import { ApiError, WorktableError } from './errors.ts';
import { headerOf } from './headers.ts';
import type { IdempotentOptions } from './options.ts';

/** The key that the caller passes as an option or header, or else a random key. */
export function idempotencyKeyOf(options: IdempotentOptions): string {
  return options.idempotencyKey ?? headerOf(options, 'idempotency-key') ?? randomKey();
}

/** 128 random bits. `crypto.randomUUID` is missing from pages that are not served over https. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Adds the key to the error of a call that may have taken effect. An earlier attempt may have taken effect even if the
 * last attempt was refused, so the errors of all attempts count.
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
  // The base class itself reports an invalid argument or option, which is thrown before anything is sent.
  return error instanceof WorktableError && error.constructor !== WorktableError;
}
