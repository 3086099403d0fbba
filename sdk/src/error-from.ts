import {
  AccessDeniedError,
  ApiError,
  BadRequestError,
  ConnectionError,
  IdempotencyKeyReusedError,
  InvalidResponseError,
  NotFoundError,
  OverloadedError,
  PayloadTooLargeError,
  PreconditionFailedError,
  RateLimitedError,
  ServerError,
  UnauthorizedError,
  UnsupportedMediaTypeError,
  WorktableError,
} from './errors.ts';
import type { operations } from './generated/contract.ts';
import { pageOrigin } from './resolve-options.ts';
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

/** The error of a response with an error status. */
export function errorFrom(response: Response, text: string, operation: OperationId): ApiError {
  const { status, headers } = response;
  const ErrorClass = isDocumented(status) ? errorClasses[status] : ApiError;
  const body = parsed(text);
  if (isProblem(body)) return new ErrorClass({ status, headers, body });
  return new ErrorClass({ status, headers, message: foreignResponse(response, text, operation) });
}

const shownMax = 1024;

/** Describes a response that does not come from this service, but from a proxy or another server. */
export function foreignResponse(
  { status, type, url, headers }: Response,
  text: string,
  operation: OperationId,
): string {
  const from = url === '' ? '' : ` from ${url.replace(/[?#].*/, '')}`;
  const start = `${operation} received a response${from} that is not of this service, with status ${status}`;
  const location = headers.get('Location');
  // Browsers hide the status and the target of a redirect.
  if (location !== null || type === 'opaqueredirect')
    return `${start}: a redirect to ${location ?? 'another address'}. Set baseUrl to the final address.`;
  const { title, detail } = Object(parsed(text)) as { title?: unknown; detail?: unknown };
  const problem = [title, detail].filter((each) => typeof each === 'string').join(': ');
  const shown = (problem || text).slice(0, shownMax);
  return `${start} and the type ${headers.get('Content-Type') ?? 'unknown'}: ${shown}`;
}

function isDocumented(status: number): status is ErrorStatus {
  return status in errorClasses;
}

/** The value of a JSON text; undefined for other texts. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isProblem(body: unknown): body is Problem {
  return (
    typeof body === 'object' && body !== null && 'code' in body && 'detail' in body && 'request_id' in body
  );
}

/** The error of a request that got no response, or a response that cannot be read. */
export function failureOf(cause: unknown, baseUrl: string): WorktableError {
  if (cause instanceof WorktableError) return cause;
  // `fetch` throws a RangeError for a request that it cannot make.
  if (cause instanceof RangeError) return new WorktableError(cause.message, { cause });
  if (cause instanceof SyntaxError) return new InvalidResponseError('The response is not JSON.', { cause });
  return new ConnectionError(connectionFailure(baseUrl), { cause });
}

/** Browsers hide from scripts that CORS is the reason for a failure. */
function connectionFailure(baseUrl: string): string {
  const origin = pageOrigin();
  const isSameOrigin = origin === undefined || new URL(baseUrl).origin === origin;
  return isSameOrigin
    ? 'The server is unreachable, or the connection was closed.'
    : `The server is unreachable, closed the connection, or does not allow pages of ${origin}: add it to CORS_ORIGINS on the server.`;
}
