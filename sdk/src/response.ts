import * as errors from './errors.ts';
import type { operations } from './generated/contract.ts';
import { isOffline, offlineMessage, pageOrigin } from './page.ts';
import type { OperationId, Problem } from './resources.ts';
import { attachIdempotencyKey } from './retries.ts';

/** All error statuses in the contract. */
type ErrorStatus = Exclude<
  { [Id in OperationId]: keyof operations[Id]['responses'] }[OperationId],
  200 | 201 | 202 | 304
>;

const errorClasses: Readonly<Record<ErrorStatus, typeof errors.ApiError>> = {
  400: errors.BadRequestError,
  401: errors.UnauthorizedError,
  403: errors.AccessDeniedError,
  404: errors.NotFoundError,
  412: errors.PreconditionFailedError,
  413: errors.PayloadTooLargeError,
  415: errors.UnsupportedMediaTypeError,
  422: errors.IdempotencyKeyReusedError,
  429: errors.RateLimitedError,
  500: errors.ServerError,
  503: errors.OverloadedError,
};

/** Converts a response with an error status to an error. */
export async function errorFrom(response: Response, operation: OperationId): Promise<errors.ApiError> {
  const { status, headers } = response;
  const body = jsonOrText(await response.text());
  const ErrorClass = isDocumented(status) ? errorClasses[status] : errors.ApiError;
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
  if (!isJson) throw new errors.InvalidResponseError(foreignResponse(response, text, operation));
  if (text === '') throw new errors.InvalidResponseError('The response has no body.');
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
export function failureOf(cause: unknown, baseUrl: string): errors.WorktableError {
  if (cause instanceof errors.WorktableError) return cause;
  // `fetch` throws a RangeError for a request that it cannot send.
  if (cause instanceof RangeError) return new errors.WorktableError(cause.message, { cause });
  if (cause instanceof SyntaxError)
    return new errors.InvalidResponseError('The response is not JSON.', { cause });
  return new errors.ConnectionError(connectionFailure(baseUrl), { cause });
}

/** The error for an argument that no request can contain. */
export function invalidRequest(cause: unknown): errors.WorktableError {
  if (cause instanceof errors.WorktableError) return cause;
  return new errors.WorktableError(`The request cannot be made: ${String(cause)}`, { cause });
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

/** Metadata of a response. */
export interface ResponseInfo {
  readonly status: number;
  readonly headers: Headers;
  /** Identifies the request in the server's log. */
  readonly requestId: string | undefined;
  /** Number of attempts, including the successful one. */
  readonly attempts: number;
}

/** The data of a response with its status and headers. */
export interface ResponseWithData<Data> {
  readonly data: Data;
  readonly response: ResponseInfo;
}

/** A response with the idempotency key of its call. If the response is invalid, the error gets the key. */
export interface ResponseWithKey<Body> extends ResponseWithData<Body> {
  readonly idempotencyKey: string | undefined;
}

/** A promise of the data. `withResponse` resolves to the data, and the status and headers of the response. */
export interface Result<Data> extends Promise<Data> {
  withResponse(): Promise<ResponseWithData<Data>>;
}

/** The result of a response. `select` extracts the data from the body. */
export function resultOf<Body, Data = Body>(
  sent: Promise<ResponseWithKey<Body>>,
  select?: (body: Body) => Data,
): Result<Data>;
export function resultOf(
  sent: Promise<ResponseWithKey<unknown>>,
  select = (body: unknown): unknown => body,
): Result<unknown> {
  const withData = sent.then(({ data: body, response, idempotencyKey }) => {
    try {
      return { data: dataFrom(body, select), response };
    } catch (error) {
      throw attachIdempotencyKey(error, idempotencyKey);
    }
  });
  const data = withData.then((result) => result.data);
  return Object.assign(data, {
    withResponse() {
      // The caller handles the error of the returned promise. Here, the other promise is kept from an unhandled
      // rejection.
      data.catch(() => undefined);
      return withData;
    },
  });
}

/** Throws unless the value is an array, as the contract says. */
export function assertArray<Item>(value: Item[]): Item[] {
  if (Array.isArray(value)) return value;
  throw new errors.InvalidResponseError('The response does not contain the list that the contract defines.');
}

function dataFrom(body: unknown, select: (body: unknown) => unknown): unknown {
  // Only a 304 (Not Modified) has no body.
  if (body === undefined) return undefined;
  try {
    const data = select(body);
    if (typeof data === 'object' && data !== null) return data;
  } catch (cause) {
    throw cause instanceof errors.InvalidResponseError
      ? cause
      : new errors.InvalidResponseError(contractMismatch, { cause });
  }
  throw new errors.InvalidResponseError(contractMismatch);
}

const contractMismatch = 'The response does not match the contract.';
