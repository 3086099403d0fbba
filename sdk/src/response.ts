import * as errors from './errors.ts';
import type { operations } from './generated/contract.ts';
import { isOffline, offlineMessage, page } from './page.ts';
import type { OperationId, Problem } from './resources.ts';

/** All error statuses in the contract. */
type ErrorStatus = Exclude<
  { [Id in OperationId]: keyof operations[Id]['responses'] }[OperationId],
  200 | 201 | 202 | 304
>;

const errorClasses: Readonly<
  Record<ErrorStatus, typeof errors.ApiError> & Record<number, typeof errors.ApiError | undefined>
> = {
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

/** The error for a response with an error status. `body` is its JSON or other text; undefined if empty. */
export function errorFrom(
  response: Response,
  operation: OperationId,
  body: unknown = '',
  baseUrl: string,
): errors.ApiError {
  const { status, headers } = response;
  const ErrorClass = errorClasses[status] ?? errors.ApiError;
  if (!isProblem(body))
    return new ErrorClass({ status, headers, message: foreignResponse(response, body, operation) });
  // The paths of the contract begin with /api or /v1. A base URL must not end with these, unless a proxy removes them.
  const [end = ''] = /(?<=[^/])(\/api|\/v1)+$/.exec(baseUrl) ?? [];
  const hint = end !== '' && body.code === 'Not found' ? ` Remove ${end} from the end of baseUrl.` : '';
  return new ErrorClass({ status, headers, body, message: `${status} ${body.code}: ${body.detail}${hint}` });
}

const shownMax = 1024;

/** Describes a response of a proxy or of another server. */
function foreignResponse(
  { status, type, url, headers }: Response,
  body: unknown,
  operation: OperationId,
): string {
  const from = url && ` from ${url.replace(/[?#].*/, '')}`;
  const start = `${operation} received a response${from} that is not of this service, with status ${status}`;
  const location = headers.get('Location');
  // Browsers hide the status and target of a redirect.
  if (location !== null || type === 'opaqueredirect')
    return `${start}: a redirect to ${location ?? 'another address'}. Set baseUrl to the final address.`;
  const { title, detail } = Object(body) as { title?: unknown; detail?: unknown };
  const problem = [title, detail].filter((text) => typeof text === 'string').join(': ');
  const text = problem || (typeof body === 'string' ? body : JSON.stringify(body));
  return `${start} and the type ${headers.get('Content-Type') ?? 'unknown'}: ${text.slice(0, shownMax)}`;
}

function isProblem(body: unknown): body is Problem {
  return isObject(body) && 'code' in body && 'detail' in body && 'request_id' in body;
}

/** The body of a response. Throws if the response has no body, or another media type. */
export function bodyOf({ status, headers, body }: Response, type: string): NonNullable<Response['body']> {
  if (body && headers.get('Content-Type')?.toLowerCase().startsWith(type) === true) return body;
  // Cancel the body here, because an application's own `fetch` may ignore the signal that ends the request.
  body?.cancel().catch(() => undefined);
  throw new errors.InvalidResponseError(`The ${status} response is not ${type}.`);
}

/** Extracts the data from the JSON and the headers of a response. Returns undefined if there is no data. */
export type Select<Body, Data> = (body: Body, headers: Headers) => Data | undefined;

/** Resolves to the JSON of a response, or to what `select` extracts. Without data, throws and quotes the response. */
export async function readData<Body, Data>(
  response: Response,
  operation: OperationId,
  select: Select<Body, Data> | undefined,
): Promise<Data> {
  const body = jsonOrText(await response.text());
  // Not validated, because the contract defines this JSON.
  const data = select === undefined ? (body as Data) : select(Object(body) as Body, response.headers);
  if (isObject(data)) return data;
  throw new errors.InvalidResponseError(foreignResponse(response, body, operation));
}

/** Parses JSON. Returns text that is not JSON unchanged. */
export function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The error for a request that cannot be made, has no response, or has a response that cannot be read. */
export function failureOf(cause: unknown, isSent: boolean, baseUrl: string): errors.WorktableError {
  if (cause instanceof errors.WorktableError) return cause;
  // `Request` refuses the signals of jsdom, and `fetch` throws a RangeError for a request that it cannot send. The cast
  // holds because before `fetch` is called, only the platform throws.
  if (!isSent || cause instanceof RangeError)
    return new errors.WorktableError((cause as Error).message, { cause });
  return new errors.ConnectionError(connectionFailure(baseUrl), { cause });
}

function connectionFailure(baseUrl: string): string {
  if (isOffline()) return offlineMessage;
  const origin = page.location?.origin ?? '';
  // Browsers do not report whether CORS caused a failure.
  const isSameOrigin = origin === '' || new URL(baseUrl).origin === origin;
  const cors = isSameOrigin
    ? ''
    : `, or the server does not allow pages of ${origin}: add it to CORS_ORIGINS`;
  return `The server is unreachable, or the connection was closed${cors}.`;
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

/** A promise of the data. `withResponse` resolves to the data, and the status and headers of the response. */
export interface Result<Data> extends Promise<Data> {
  withResponse(): Promise<ResponseWithData<Data>>;
}

/** Makes the result of a call from a promise of its data and response. */
export function resultOf<Data>(sent: Promise<ResponseWithData<Data>>): Result<Data> {
  const data = sent.then((result) => result.data);
  return Object.assign(data, {
    withResponse() {
      // The caller handles the rejection of the returned promise. `data` rejects too, which must not be reported as
      // unhandled.
      data.catch(() => undefined);
      return sent;
    },
  });
}
