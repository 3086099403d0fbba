import type { ErrorCode, Problem } from './resources.ts';

/** What every error of this package is. */
export class WorktableError extends Error {
  override name = 'WorktableError';
  /**
   * The key of a create, comment or run that may have taken effect in spite of this error: the same call under this key does
   * not happen twice. Undefined where the server has refused the call, and for calls without a key.
   */
  readonly idempotencyKey: string | undefined;
}

/** No answer came: the server cannot be reached, or the connection broke. The `cause` says how. */
export class ConnectionError extends WorktableError {
  override name = 'ConnectionError';
}

/** Time ran out: for one attempt (`timeoutMs`) or for the whole call (`deadlineMs`). */
export class TimeoutError extends WorktableError {
  override name = 'TimeoutError';
  readonly limit: 'attempt' | 'deadline';

  constructor(limit: 'attempt' | 'deadline') {
    super(
      limit === 'attempt'
        ? 'The attempt took longer than timeoutMs.'
        : 'The call took longer than deadlineMs.',
    );
    this.limit = limit;
  }
}

/** The caller's signal aborted the call; its reason is the `cause`. */
export class AbortError extends WorktableError {
  override name = 'AbortError';
}

/**
 * The server said that it succeeded, but what it sent cannot be read as the contract says: it is no JSON, or the part that
 * the method gives is missing. Its fields are not checked one by one.
 */
export class InvalidResponseError extends WorktableError {
  override name = 'InvalidResponseError';
}

interface Interruption {
  readonly run: { readonly id: string; readonly session_id: string } | undefined;
  readonly cause: unknown;
}

/** The stream of a run ended before the run did. The run goes on; its session tells how it ends. */
export class StreamInterruptedError extends WorktableError {
  override name = 'StreamInterruptedError';
  /** Undefined when the stream broke before it named the run. */
  readonly runId: string | undefined;
  readonly sessionId: string | undefined;
  /** Under this key, the same call tells the same run again. It is always there, as a stream is a keyed call. */
  declare readonly idempotencyKey: string;

  constructor({ run, cause }: Interruption) {
    super('The stream ended before the run did.', { cause });
    this.runId = run?.id;
    this.sessionId = run?.session_id;
  }
}

interface Failure {
  readonly status: number;
  readonly headers: Headers;
  /** The problem details; undefined when something between here and the server answered in its own words. */
  readonly body: Problem | undefined;
}

/** The server refused or failed. Each status of the contract has a class of its own. */
export class ApiError extends WorktableError {
  override name = 'ApiError';
  readonly status: number;
  readonly headers: Headers;
  readonly body: Problem | undefined;
  /** What went wrong, for programs. */
  readonly code: ErrorCode | undefined;
  /** Names the request in the server's log. */
  readonly requestId: string | undefined;

  constructor({ status, headers, body }: Failure) {
    super(body === undefined ? `The answer has status ${status}.` : `${status} ${body.code}: ${body.detail}`);
    this.status = status;
    this.headers = headers;
    this.body = body;
    this.code = body?.code;
    this.requestId = body?.request_id ?? headers.get('X-Request-Id') ?? undefined;
  }
}

export class BadRequestError extends ApiError {
  override name = 'BadRequestError';
}
export class UnauthorizedError extends ApiError {
  override name = 'UnauthorizedError';
}
export class AccessDeniedError extends ApiError {
  override name = 'AccessDeniedError';
}
export class NotFoundError extends ApiError {
  override name = 'NotFoundError';
}
export class RequestInProgressError extends ApiError {
  override name = 'RequestInProgressError';
}
export class PreconditionFailedError extends ApiError {
  override name = 'PreconditionFailedError';
}
export class PayloadTooLargeError extends ApiError {
  override name = 'PayloadTooLargeError';
}
export class UnsupportedMediaTypeError extends ApiError {
  override name = 'UnsupportedMediaTypeError';
}
export class IdempotencyKeyReusedError extends ApiError {
  override name = 'IdempotencyKeyReusedError';
}
export class RateLimitedError extends ApiError {
  override name = 'RateLimitedError';
}
export class ServerError extends ApiError {
  override name = 'ServerError';
}
export class OverloadedError extends ApiError {
  override name = 'OverloadedError';
}
