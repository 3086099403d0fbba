import type { operations } from './generated/contract.ts';
import type { ErrorCode, OperationId, Problem } from './resources.ts';

/** What every error of this package is. */
export class WorktableError extends Error {
  override name = 'WorktableError';
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

/** The server said that it succeeded, but not in the words of the contract. */
export class InvalidResponseError extends WorktableError {
  override name = 'InvalidResponseError';
}

/** The stream of a run ended before the run did. The run goes on; its session tells how it ends. */
export class StreamInterruptedError extends WorktableError {
  override name = 'StreamInterruptedError';
  /** Undefined when the stream broke before it named the run. */
  readonly runId: string | undefined;
  readonly sessionId: string | undefined;

  constructor(run: { id: string; session_id: string } | undefined, cause: unknown) {
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

/** Every status that the contract documents for a failure of any operation. */
type FailureStatus = Exclude<
  { [Id in OperationId]: keyof operations[Id]['responses'] }[OperationId],
  200 | 201 | 202 | 304
>;

const classes: Readonly<Record<FailureStatus, typeof ApiError>> = {
  400: BadRequestError,
  401: UnauthorizedError,
  403: AccessDeniedError,
  404: NotFoundError,
  409: RequestInProgressError,
  412: PreconditionFailedError,
  413: PayloadTooLargeError,
  415: UnsupportedMediaTypeError,
  422: IdempotencyKeyReusedError,
  429: RateLimitedError,
  500: ServerError,
  503: OverloadedError,
};

/** The error that an answer with a failure's status is thrown as. */
export function errorFrom(response: Response, body: unknown): ApiError {
  const { status, headers } = response;
  const Class = isDocumented(status) ? classes[status] : ApiError;
  return new Class({ status, headers, body: isProblem(body) ? body : undefined });
}

function isDocumented(status: number): status is FailureStatus {
  return status in classes;
}

function isProblem(body: unknown): body is Problem {
  return (
    typeof body === 'object' && body !== null && 'code' in body && 'detail' in body && 'request_id' in body
  );
}
