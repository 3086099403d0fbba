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
export function errorFrom(response: Response, body: unknown, operation: OperationId): ApiError {
  const { status, headers } = response;
  const ErrorClass = isDocumented(status) ? errorClasses[status] : ApiError;
  if (isProblem(body)) return new ErrorClass({ status, headers, body });
  return new ErrorClass({ status, headers, message: foreignResponse(response, body, operation) });
}

const shownMax = 1024;

/** Describes a response that does not come from this service, but from a proxy or another server. */
export function foreignResponse(
  { status, type, url, headers }: Response,
  body: unknown,
  operation: OperationId,
): string {
  const from = url === '' ? '' : ` from ${url.replace(/[?#].*/, '')}`;
  const start = `${operation} received a response${from} that is not of this service, with status ${status}`;
  const location = headers.get('Location');
  // Browsers hide the status and the target of a redirect.
  if (location !== null || type === 'opaqueredirect')
    return `${start}: a redirect to ${location ?? 'another address'}. Set baseUrl to the final address.`;
  const { title, detail } = Object(body) as { title?: unknown; detail?: unknown };
  const problem = [title, detail].filter((text) => typeof text === 'string').join(': ');
  const text = problem || (typeof body === 'string' ? body : JSON.stringify(body ?? ''));
  return `${start} and the type ${headers.get('Content-Type') ?? 'unknown'}: ${text.slice(0, shownMax)}`;
}

function isDocumented(status: number): status is ErrorStatus {
  return status in errorClasses;
}

function isProblem(body: unknown): body is Problem {
  return (
    typeof body === 'object' && body !== null && 'code' in body && 'detail' in body && 'request_id' in body
  );
}
