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
  ConnectionError,
  InvalidResponseError,
  WorktableError,
} from './errors.ts';
import type { operations } from './generated/contract.ts';
import type { OperationId, Problem } from './resources.ts';
import { isOffline, offlineMessage, pageOrigin } from './page.ts';

/** All error statuses in the contract. */
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

/** Converts a response with an error status to an error. */
export async function errorFrom(response: Response, operation: OperationId): Promise<ApiError> {
  const { status, headers } = response;
  const body = jsonOrText(await response.text());
  const ErrorClass = isDocumented(status) ? errorClasses[status] : ApiError;
  if (isProblem(body)) {
    const message = `${status} ${body.code}: ${body.detail}${baseUrlHint(response)}`;
    return new ErrorClass({ status, headers, body, message });
  }
  return new ErrorClass({ status, headers, message: foreignResponse(response, body, operation) });
}

/** A common mistake, because the paths of the contract begin with `/api` or `/v1`. */
function baseUrlHint({ status, url }: Response): string {
  const [, end] = /(\/api|\/v1)\/(?:api|v1)\//.exec(url) ?? [];
  return status === 404 && end !== undefined ? ` Remove ${end} from the end of baseUrl.` : '';
}

const shownMax = 1024;

/** Describes a response of a proxy or of another server. */
function foreignResponse(
  { status, type, url, headers }: Response,
  body: unknown,
  operation: OperationId,
): string {
  const from = url === '' ? '' : ` from ${url.replace(/[?#].*/, '')}`;
  const start = `${operation} received a response${from} that is not of this service, with status ${status}`;
  const location = headers.get('Location');
  // Browsers hide the status and target of a redirect.
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

/** The JSON of a successful response. The error for another text, such as an HTML page, quotes its beginning. */
export async function readJson<Body>(response: Response, operation: OperationId): Promise<Body> {
  const text = await response.text();
  const isJson = /[/+]json\b/i.test(response.headers.get('Content-Type') ?? 'json');
  if (!isJson) throw new InvalidResponseError(foreignResponse(response, text, operation));
  if (text === '') throw new InvalidResponseError('The response has no body.');
  // The contract describes this JSON.
  return JSON.parse(text) as Body;
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The error for a request without a response, or with a response that cannot be read. */
export function failureOf(cause: unknown, baseUrl: string): WorktableError {
  if (cause instanceof WorktableError) return cause;
  // `fetch` throws a RangeError for a request that it cannot send.
  if (cause instanceof RangeError) return new WorktableError(cause.message, { cause });
  if (cause instanceof SyntaxError) return new InvalidResponseError('The response is not JSON.', { cause });
  return new ConnectionError(connectionFailure(baseUrl), { cause });
}

/** The error for an argument that no request can contain. */
export function invalidRequest(cause: unknown): WorktableError {
  if (cause instanceof WorktableError) return cause;
  return new WorktableError(`The request cannot be made: ${String(cause)}`, { cause });
}

/** Browsers do not tell scripts that CORS caused a failure. */
function connectionFailure(baseUrl: string): string {
  const origin = pageOrigin();
  if (isOffline()) return offlineMessage;
  const isSameOrigin = origin === undefined || new URL(baseUrl).origin === origin;
  return isSameOrigin
    ? 'The server is unreachable, or the connection was closed.'
    : `The server is unreachable, closed the connection, or does not allow pages of ${origin}: add it to CORS_ORIGINS on the server.`;
}
