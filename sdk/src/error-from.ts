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
  ServerError,
  UnauthorizedError,
  UnsupportedMediaTypeError,
} from './errors.ts';
import type { operations } from './generated/contract.ts';
import type { OperationId, Problem } from './resources.ts';

/** Every error status that the contract documents. */
type ErrorStatus = Exclude<
  { [Id in OperationId]: keyof operations[Id]['responses'] }[OperationId],
  200 | 201 | 202 | 304
>;

const errorClasses: Readonly<Record<ErrorStatus, typeof ApiError>> = {
  400: BadRequestError,
  401: UnauthorizedError,
  403: AccessDeniedError,
  404: NotFoundError,
  412: PreconditionFailedError,
  413: PayloadTooLargeError,
  415: UnsupportedMediaTypeError,
  422: IdempotencyKeyReusedError,
  429: RateLimitedError,
  500: ServerError,
  503: OverloadedError,
};

/** Converts a response with an error status into the error to throw. */
export function errorFrom(response: Response, body: unknown): ApiError {
  const { status, headers } = response;
  const ErrorClass = isDocumented(status) ? errorClasses[status] : ApiError;
  return new ErrorClass({ status, headers, body: isProblem(body) ? body : undefined });
}

function isDocumented(status: number): status is ErrorStatus {
  return status in errorClasses;
}

function isProblem(body: unknown): body is Problem {
  return (
    typeof body === 'object' && body !== null && 'code' in body && 'detail' in body && 'request_id' in body
  );
}
