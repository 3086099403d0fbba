import createFetchClient, { type Client as FetchClient } from 'openapi-fetch';
import { errorFrom, assertReadable, failureOf, invalidRequest } from './error-from.ts';
import { ApiError, InvalidResponseError, UnauthorizedError } from './errors.ts';
import type { paths } from './generated/contract.ts';
import { callHeaders, withToken } from './headers.ts';
import { attachIdempotencyKey } from './idempotency-key.ts';
import type { Call } from './call.ts';
import { queryText } from './parameters.ts';
import { assertNotNegative, type ResolvedOptions } from './resolve-options.ts';
import type { ResponseWithData, ResponseWithKey } from './result.ts';
import { waitForRetry } from './retries.ts';
import { startTimeLimit, type TimeLimit } from './time-limit.ts';

/** Request options of one attempt. */
interface AttemptInit {
  readonly headers: Headers;
  readonly signal: AbortSignal;
  readonly fetch: (request: Request) => Promise<Response>;
}

/** The result of `api`. */
export interface FetchResult<Body> {
  readonly data?: Body | undefined;
  readonly error?: unknown;
  readonly response: Response;
}

export type Send<Body> = (init: AttemptInit, limit: TimeLimit) => Promise<FetchResult<Body>>;

/** A response whose body is still being read. The caller must end the time limit. */
export type OpenResponse<Body> = ResponseWithKey<Body> & { readonly limit: TimeLimit };

export interface Transport {
  readonly options: ResolvedOptions;
  readonly api: FetchClient<paths, 'application/json'>;
  /** Sends a call, with retries, and reads the whole response. */
  readonly send: <Body>(call: Call, send: Send<Body>) => Promise<ResponseWithKey<Body>>;
  /** Sends a call, with retries. The time limit keeps running. */
  readonly open: <Body>(call: Call, send: Send<Body>) => Promise<OpenResponse<Body>>;
}

export function createTransport(options: ResolvedOptions): Transport {
  return {
    options,
    api: createFetchClient<paths, 'application/json'>({
      baseUrl: options.baseUrl,
      // A redirect could send the token to another server, or change a POST to a GET.
      redirect: 'manual',
      querySerializer: queryText,
    }),
    open: (call, send) => sendCall(options, call, send),
    async send(call, send) {
      const { limit, ...response } = await sendCall(options, call, send);
      limit.end();
      return response;
    },
  };
}

/**
 * Repeats the call until an attempt succeeds, an error cannot be retried, or a limit is reached. If the call may have
 * taken effect, the error gets its idempotency key.
 */
async function sendCall<Body>(
  options: ResolvedOptions,
  call: Call,
  send: Send<Body>,
): Promise<OpenResponse<Body>> {
  const { onRetry } = options;
  const { 'Idempotency-Key': idempotencyKey } = call.headers;
  const {
    signal,
    timeoutMs,
    deadlineMs = options.deadlineMs,
    retriesMax = options.retriesMax,
  } = call.options;
  const attemptErrors: unknown[] = [];
  try {
    assertNotNegative({ timeoutMs, deadlineMs, retriesMax });
    const headers = callHeaders(call, options.headers);
    const attemptMs = timeoutMs ?? Math.max(options.timeoutMs, call.timeoutMinMs ?? 0);
    const deadlineAtMs = Date.now() + deadlineMs;
    let attemptsMax = 1 + retriesMax;
    let refresh = false;

    for (let attempt = 1; ; attempt += 1) {
      const limit = startTimeLimit({ timeoutMs: attemptMs, deadlineAtMs, signal });
      try {
        const sent = await sendAttempt(options, call, { attempt, refresh, headers, limit, send });
        return { ...sent, limit, idempotencyKey };
      } catch (error) {
        limit.end();
        attemptErrors.push(error);
        if (error instanceof UnauthorizedError && options.isTokenRefreshable && !refresh) {
          refresh = true;
          attemptsMax += 1;
          continue;
        }
        if (attempt >= attemptsMax || !call.isRetrySafeAfter(error)) throw error;
        await waitForRetry({ operation: call.operation, attempt, error }, { onRetry, deadlineAtMs, signal });
      }
    }
  } catch (error) {
    throw attachIdempotencyKey(error, idempotencyKey, attemptErrors);
  }
}

interface Attempt<Body> {
  readonly attempt: number;
  /** True if an earlier attempt got 401. */
  readonly refresh: boolean;
  readonly headers: Headers;
  readonly limit: TimeLimit;
  readonly send: Send<Body>;
}

async function sendAttempt<Body>(
  options: ResolvedOptions,
  call: Call,
  { attempt, refresh, headers, limit, send }: Attempt<Body>,
): Promise<ResponseWithData<Body>> {
  const startedMs = Date.now();
  const log = (status: number | undefined, requestId: string | undefined, error?: unknown): void => {
    const failure = error instanceof Error ? error.name : undefined;
    const durationMs = Date.now() - startedMs;
    options.log({ operation: call.operation, attempt, durationMs, status, requestId, failure });
  };
  try {
    const token = await limit.race(() => options.token({ refresh }));
    const fetchOptions = { ...options.fetchOptions, ...call.options.fetchOptions };
    let isSent = false;
    const fetch = async (request: Request): Promise<Response> => {
      isSent = true;
      return assertReadable(await options.fetch(request, fetchOptions), request, call.operation);
    };
    const init = { headers: withToken(headers, token), signal: limit.signal, fetch };
    const sending = (): Promise<FetchResult<Body>> =>
      send(init, limit).catch((cause: unknown) => {
        throw isSent ? failureOf(cause, options.baseUrl) : invalidRequest(cause);
      });
    const { data, response } = await limit.race(() => fetchData(call, sending));
    const requestId = response.headers.get('X-Request-Id') ?? undefined;
    log(response.status, requestId);
    return {
      data,
      response: { status: response.status, headers: response.headers, requestId, attempts: attempt },
    };
  } catch (error) {
    const apiError = error instanceof ApiError ? error : undefined;
    log(apiError?.status, apiError?.requestId, error);
    throw error;
  }
}

/** Sends one request. Converts a failure to the matching error class. */
async function fetchData<Body>(
  { headers, operation }: Call,
  send: () => Promise<FetchResult<Body>>,
): Promise<{ data: Body; response: Response }> {
  const { data, error, response } = await send();
  // Only methods whose Body may be undefined set If-None-Match.
  const isNotModified = response.status === 304 && headers['If-None-Match'] !== undefined;
  if (isNotModified) return { data: undefined as Body, response };
  if (!response.ok) throw errorFrom(response, error, operation);
  if (data === undefined) throw new InvalidResponseError('The response has no body.');
  return { data, response };
}
