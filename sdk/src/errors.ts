import type { ErrorCode, Problem } from './resources.ts';

/**
 * Base class of all errors of this package. An instance of the base class itself is about an invalid argument or
 * option.
 */
export class WorktableError extends Error {
  /** The name of the class, which is the same in all copies of this package. Minifiers do not change it. */
  static readonly kind: string = 'WorktableError';
  /**
   * Idempotency key of a call that may have taken effect despite this error. If you repeat the call with this key, it
   * takes effect only once. Undefined if the server refused the call, or if the call has no key.
   */
  readonly idempotencyKey: string | undefined;

  constructor(message?: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.kind;
  }

  /** Also recognizes errors from another copy of this package, such as the CommonJS build. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    if (!Object.hasOwn(this, 'kind')) return super[Symbol.hasInstance](value);
    let { constructor: each } = Object(value) as { readonly constructor: ErrorClass | null };
    while (each && each.kind !== this.kind) each = Object.getPrototypeOf(each) as ErrorClass | null;
    return Boolean(each);
  }
}

interface ErrorClass {
  readonly kind?: string;
}

/** The server is unreachable, or the connection or a stream broke. `cause` has the platform's reason, if known. */
export class ConnectionError extends WorktableError {
  static override readonly kind: string = 'ConnectionError';
}

/** An attempt took longer than `timeoutMs`, a stream was silent, or the whole call took longer than `deadlineMs`. */
export class TimeoutError extends WorktableError {
  static override readonly kind: string = 'TimeoutError';
  declare readonly limit: 'attempt' | 'deadline';

  constructor(limit: 'attempt' | 'deadline') {
    super(
      limit === 'attempt'
        ? 'The attempt took longer than timeoutMs, or its stream was silent.'
        : 'The call took longer than deadlineMs.',
    );
    this.limit = limit;
  }
}

/** The caller's signal aborted the call. `cause` is the reason of the signal. */
export class AbortError extends WorktableError {
  static override readonly kind: string = 'AbortError';
}

/**
 * A successful response does not match the contract: it is not JSON, or it lacks the data that the method returns. The
 * fields of the data are not validated.
 */
export class InvalidResponseError extends WorktableError {
  static override readonly kind: string = 'InvalidResponseError';
}

/** The stream of a run ended before the run did. The run continues on the server; `runs.get` returns its outcome. */
export class StreamInterruptedError extends WorktableError {
  static override readonly kind: string = 'StreamInterruptedError';
  declare readonly runId: string;
  /** Undefined if `runs.stream` received no `run.started`, for example because of `lastEventId`. */
  declare readonly sessionId: string | undefined;
  /** `agents.stream` with this key streams the same run from its beginning. `runs.stream` has no key. */
  declare readonly idempotencyKey: string | undefined;

  constructor(run: { readonly id: string; readonly session_id?: string }, cause: unknown) {
    super('The stream ended before the run did.', { cause });
    this.runId = run.id;
    this.sessionId = run.session_id;
  }
}

/** The parts of an `ApiError`. */
export interface ApiErrorOptions {
  readonly status: number;
  readonly headers: Headers;
  readonly body?: Problem | undefined;
  readonly message?: string;
}

/** A response with an error status. Each error status in the contract has its own subclass. */
export class ApiError extends WorktableError {
  static override readonly kind: string = 'ApiError';
  declare readonly status: number;
  declare readonly headers: Headers;
  /**
   * Problem details (RFC 9457). Undefined if the response is from a proxy or another server; the message then quotes
   * it.
   */
  declare readonly body: Problem | undefined;
  /** Machine-readable error code. */
  declare readonly code: ErrorCode | undefined;
  /** Identifies the request in the server's log. */
  declare readonly requestId: string | undefined;

  constructor({ status, headers, body, message = `The response has status ${status}.` }: ApiErrorOptions) {
    super(message);
    this.status = status;
    this.headers = headers;
    this.body = body;
    this.code = body?.code;
    this.requestId = body?.request_id ?? headers.get('X-Request-Id') ?? undefined;
  }
}

/** 400: a parameter or the body of the request is invalid. */
export class BadRequestError extends ApiError {
  static override readonly kind: string = 'BadRequestError';
}
/** 401: the token is missing, or `body.errors` has the code `expired` or `invalid`. */
export class UnauthorizedError extends ApiError {
  static override readonly kind: string = 'UnauthorizedError';
}
/** 403: the resource belongs to another user. */
export class AccessDeniedError extends ApiError {
  static override readonly kind: string = 'AccessDeniedError';
}
/** 404: the resource does not exist. */
export class NotFoundError extends ApiError {
  static override readonly kind: string = 'NotFoundError';
}
/** 412: the resource has changed since the `ETag` in `ifMatch`. */
export class PreconditionFailedError extends ApiError {
  static override readonly kind: string = 'PreconditionFailedError';
}
/** 413: the request body is too large. */
export class PayloadTooLargeError extends ApiError {
  static override readonly kind: string = 'PayloadTooLargeError';
}
/** 415: the server does not support the media type or encoding of the request body. */
export class UnsupportedMediaTypeError extends ApiError {
  static override readonly kind: string = 'UnsupportedMediaTypeError';
}
/** 422: the idempotency key was already used with a different request. */
export class IdempotencyKeyReusedError extends ApiError {
  static override readonly kind: string = 'IdempotencyKeyReusedError';
}
/** 429: a limit on requests or on unfinished runs is exceeded. */
export class RateLimitedError extends ApiError {
  static override readonly kind: string = 'RateLimitedError';
}
/** 500: the server failed. A run that fails is not an error: it is returned with its `error`. */
export class ServerError extends ApiError {
  static override readonly kind: string = 'ServerError';
}
/** 503: the server is overloaded or cannot accept requests at the moment. */
export class OverloadedError extends ApiError {
  static override readonly kind: string = 'OverloadedError';
}
