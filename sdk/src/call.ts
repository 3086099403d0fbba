import type { CallHeaders } from './headers.ts';
import { idempotencyKeyOf } from './idempotency-key.ts';
import type { IdempotentOptions, RequestOptions } from './options.ts';
import type { OperationId } from './resources.ts';
import { isRefusal } from './retries.ts';

/** A call of an operation, and when it may be retried. */
export interface Call {
  readonly operation: OperationId;
  /** Returns true if a retry is safe after an attempt that failed with this error. */
  readonly isRetrySafeAfter: (error: unknown) => boolean;
  readonly headers: CallHeaders;
  readonly options: RequestOptions;
  /** The lowest time limit of an attempt, for an operation that is slow by design. */
  readonly timeoutMinMs?: number;
}

/** A call that changes nothing, or changes nothing more when it is repeated. */
export function retryable(
  operation: OperationId,
  options: RequestOptions = {},
  headers: CallHeaders = {},
): Call {
  return { operation, isRetrySafeAfter: () => true, headers, options };
}

/**
 * A call that overwrites data. If a response is lost, another client may change the same data next, and a retry would
 * undo that change.
 */
export function retryableAfterRefusal(
  operation: OperationId,
  options: RequestOptions = {},
  headers: CallHeaders = {},
): Call {
  return { operation, isRetrySafeAfter: isRefusal, headers, options };
}

/** A POST with an `Idempotency-Key`. */
export function idempotent(
  operation: OperationId,
  options: IdempotentOptions = {},
  headers: CallHeaders = {},
): Call {
  return retryable(operation, options, { ...headers, 'Idempotency-Key': idempotencyKeyOf(options) });
}
