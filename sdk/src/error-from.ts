import {
  AccessDeniedError,
  ApiError,
  BadRequestError,
  IdempotencyKeyReusedError,
  NotFoundError,
  OverloadedError,
  PayloadTooLargeError,
  PreconditionFailedError,
  RateLimitedError,
  RequestInProgressError,
  ServerError,
  UnauthorizedError,
  UnsupportedMediaTypeError,
} from './errors.ts';
import type { operations } from './generated/contract.ts';
import type { OperationId, Problem } from './resources.ts';

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
