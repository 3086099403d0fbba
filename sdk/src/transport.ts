import createFetchClient, { type Client as FetchClient } from 'openapi-fetch';
import { ApiError, UnauthorizedError } from './errors.ts';
import {
  headersOf,
  targetOf,
  type AnyParts,
  type Operation,
  type RequestParts,
  type ResponseBody,
  type Target,
} from './request.ts';
import type { OperationId } from './resources.ts';
import { assertNotNegative, type ResolvedOptions } from './resolve-options.ts';
import {
  errorFrom,
  failureOf,
  readData,
  resultOf,
  type ResponseInfo,
  type ResponseWithData,
  type Result,
  type Select,
} from './response.ts';
import { attachIdempotencyKey, idempotencyKeyOf, isRetrySafe, waitForRetry } from './retries.ts';
import { startTimeLimit, type TimeLimit } from './time-limit.ts';

/** Reads the body of a successful response. */
type Read<Body> = (response: Response, limit: TimeLimit) => Body | Promise<Body>;

/** A response whose body is still being read. The caller must end the time limit. */
export type OpenResponse<Body> = ResponseWithData<Body> & { readonly limit: TimeLimit };

export interface Transport {
  readonly options: ResolvedOptions;
  /** Sends a call, with retries. `select` extracts the data from the JSON of the response. */
  readonly send: <Id extends OperationId, Data = ResponseBody<Id>>(
    operation: Operation<Id>,
    parts: RequestParts<Id>,
    select?: Select<ResponseBody<Id>, Data>,
  ) => Result<Data>;
  /** Sends a call, with retries, and reads the whole response. */
  readonly read: <Id extends OperationId, Body>(
    operation: Operation<Id>,
    parts: RequestParts<Id>,
    read: Read<Body>,
  ) => Result<Body>;
  /** Sends a call, with retries. The caller reads the rest of the body within the time limit. */
  readonly open: <Body>(
    operation: Operation,
    parts: AnyParts,
    read: Read<Body>,
  ) => Promise<OpenResponse<Body>>;
}

/** Any path and method: `request.ts` derives the types of requests and responses from the operation. */
type Api = FetchClient<Record<string, Record<'get' | 'post' | 'put' | 'delete', AnyOperation>>>;

interface AnyOperation {
  readonly parameters: Target['params'];
  readonly requestBody?: { readonly content: { readonly 'application/json': string } };
}

export function createTransport(options: ResolvedOptions): Transport {
  const api: Api = createFetchClient({
    baseUrl: options.baseUrl,
    // A redirect could send the token to another server, or change a POST to a GET.
    redirect: 'manual',
    // `targetOf` has already serialized the body, once for all attempts.
    bodySerializer: (json) => json,
  });
  const open: Transport['open'] = (operation, parts, read) =>
    sendCall({ options, api, operation, parts, read });
  const read: Transport['read'] = (operation, parts, readBody) =>
    resultOf(
      open(operation, parts, readBody).then(({ limit, ...response }) => {
        limit.end();
        return response;
      }),
    );
  return {
    options,
    open,
    read,
    send: (operation, parts, select) =>
      read(operation, parts, (response) => readData(response, operation[0], select)),
  };
}

interface Call<Body> {
  readonly options: ResolvedOptions;
  readonly api: Api;
  readonly operation: Operation;
  readonly parts: AnyParts;
  readonly read: Read<Body>;
}

/**
 * Repeats the call until an attempt succeeds, an error cannot be retried, or a limit is reached. If the call may have
 * taken effect, the error gets the idempotency key of the call.
 */
async function sendCall<Body>(call: Call<Body>): Promise<OpenResponse<Body>> {
  const { options, operation, parts } = call;
  const [id, method, , isKeyed] = operation;
  const { tokens, onRetry } = options;
  const callOptions = parts.options ?? {};
  const { signal, timeoutMs = options.timeoutMs, retriesMax = options.retriesMax } = callOptions;
  const { deadlineMs = options.deadlineMs, deadlineAtMs = Date.now() + deadlineMs } = callOptions;
  const idempotencyKey = isKeyed && idempotencyKeyOf(callOptions);
  const attemptErrors: unknown[] = [];
  let token = tokens.get;
  let retries = 0;
  try {
    assertNotNegative({ timeoutMs, deadlineMs, retriesMax });
    const target = targetOf(parts);
    const headers = headersOf(parts, options.headers, idempotencyKey);

    for (let attempt = 1; ; attempt += 1) {
      const renew = tokens.prepareRenewal();
      const limit = startTimeLimit(timeoutMs, deadlineAtMs, signal);
      const startedMs = Date.now();
      const log = ({ status, requestId }: Partial<ResponseInfo>, failure?: string): void => {
        const durationMs = Date.now() - startedMs;
        options.log({ operation: id, attempt, durationMs, status, requestId, failure });
      };
      try {
        const { data, response } = await limit.race(() => sendAttempt(call, target, headers, token, limit));
        const { status, headers: received } = response;
        const requestId = received.get('X-Request-Id') ?? undefined;
        const info = { status, headers: received, requestId, attempts: attempt };
        log(info);
        if (retries > 0) options.onRecovery(id);
        return { data, response: info, limit };
      } catch (error) {
        limit.end();
        log(error instanceof ApiError ? error : {}, (Object(error) as Partial<Error>).name);
        attemptErrors.push(error);
        if (error instanceof UnauthorizedError && renew && token === tokens.get) {
          token = renew;
          continue;
        }
        const mayRetry = retries < retriesMax && isRetrySafe(method, headers, error);
        const waiting = { onRetry, deadlineAtMs, signal };
        if (!mayRetry || !(await waitForRetry(id, attempt, error, waiting))) throw error;
        retries += 1;
      }
    }
  } catch (error) {
    throw attachIdempotencyKey(error, idempotencyKey, attemptErrors);
  }
}

/** Sends one request. Converts a failure to the matching error class. */
async function sendAttempt<Body>(
  { options, api, operation, parts, read }: Call<Body>,
  target: Target,
  headers: Headers,
  token: () => Promise<string>,
  limit: TimeLimit,
): Promise<{ data: Body; response: Response }> {
  const [id, method, path] = operation;
  let isSent = false;
  const fetch = (request: Request): Promise<Response> => {
    isSent = true;
    // The global `fetch` may be replaced later, so read it here. `window.fetch` refuses to be called as a method.
    const send = options.fetch ?? globalThis.fetch;
    return send(request, { ...options.fetchOptions, ...parts.options?.fetchOptions });
  };
  headers.set('Authorization', `Bearer ${await token()}`);
  limit.signal.throwIfAborted();
  try {
    const init = { ...target, headers, signal: limit.signal, fetch, parseAs: 'stream' } as const;
    const { response, error } = await api[method](path, init);
    if (response.ok) return { data: await read(response, limit), response };
    // The cast holds because only methods whose Body may be undefined set If-None-Match.
    if (response.status === 304 && parts.headers?.['If-None-Match'] !== undefined)
      return { data: undefined as Body, response };
    throw errorFrom(response, id, error, options.baseUrl);
  } catch (cause) {
    throw failureOf(cause, isSent, options.baseUrl);
  }
}
