import type { Call } from './call.ts';
import { errorFrom, failureOf } from './error-from.ts';
import { ApiError, UnauthorizedError } from './errors.ts';
import { callHeaders, withToken } from './headers.ts';
import { attachIdempotencyKey } from './idempotency-key.ts';
import { assertNotNegative, type ResolvedOptions } from './resolve-options.ts';
import type { ResponseWithData, ResponseWithKey } from './result.ts';
import { waitForRetry } from './retries.ts';
import { startTimeLimit, type TimeLimit } from './time-limit.ts';

/** A response whose body is still being read. The caller must end the time limit. */
export type OpenResponse<Body> = ResponseWithKey<Body> & { readonly limit: TimeLimit };

export interface Transport {
  readonly options: ResolvedOptions;
  /** Sends a call, with retries, and reads the whole response. */
  readonly send: <Body>(call: Call<Body>) => Promise<ResponseWithKey<Body>>;
  /** Sends a call, with retries, and leaves the time limit running. */
  readonly open: <Body>(call: Call<Body>) => Promise<OpenResponse<Body>>;
}

export function createTransport(options: ResolvedOptions): Transport {
  return {
    options,
    open: (call) => sendWithRetries(options, call),
    async send(call) {
      const { limit, ...response } = await sendWithRetries(options, call);
      limit.end();
      return response;
    },
  };
}

/**
 * Repeats the call until an attempt succeeds, its error is not retryable, or a limit is reached. Adds its idempotency key to
 * the error if the call may have taken effect.
 */
async function sendWithRetries<Body>(
  options: ResolvedOptions,
  call: Call<Body>,
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
        const sent = await sendAttempt(options, call, { attempt, refresh, headers, limit });
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
        const failed = { operation: call.operation, attempt, error };
        await waitForRetry(failed, { onRetry, deadlineAtMs, signal });
      }
    }
  } catch (error) {
    throw attachIdempotencyKey(error, idempotencyKey, attemptErrors);
  }
}

interface Attempt {
  readonly attempt: number;
  /** True if an earlier attempt was refused with 401. */
  readonly refresh: boolean;
  readonly headers: Headers;
  readonly limit: TimeLimit;
}

async function sendAttempt<Body>(
  options: ResolvedOptions,
  call: Call<Body>,
  { attempt, refresh, headers, limit }: Attempt,
): Promise<ResponseWithData<Body>> {
  const startedMs = Date.now();
  const log = (status: number | undefined, requestId: string | undefined, error?: unknown): void => {
    const failure = error instanceof Error ? error.name : undefined;
    const durationMs = Date.now() - startedMs;
    options.log({ operation: call.operation, attempt, durationMs, status, requestId, failure });
  };
  try {
    const token = await limit.race(() => options.token({ refresh }));
    const request = new Request(options.baseUrl + call.target(), {
      method: call.method,
      headers: withToken(headers, token),
      body: call.body?.() ?? null,
      // A redirect is not followed, because it could send the token to another server, or turn a POST into a GET.
      redirect: 'manual',
      signal: limit.signal,
    });
    const exchange = async (): Promise<{ data: Body; response: Response }> => {
      const fetchOptions = { ...options.fetchOptions, ...call.options.fetchOptions };
      const response = await options.fetch(request, fetchOptions);
      return { data: await dataOf(response, call, limit), response };
    };
    const { data, response } = await limit.race(() =>
      exchange().catch((cause: unknown) => {
        throw failureOf(cause, options.baseUrl);
      }),
    );
    const { status, headers: received } = response;
    const requestId = received.get('X-Request-Id') ?? undefined;
    log(status, requestId);
    return { data, response: { status, headers: received, requestId, attempts: attempt } };
  } catch (error) {
    const apiError = error instanceof ApiError ? error : undefined;
    log(apiError?.status, apiError?.requestId, error);
    throw error;
  }
}

/** Reads the response. Throws the matching error for any status that is not a success. */
async function dataOf<Body>(response: Response, call: Call<Body>, limit: TimeLimit): Promise<Body> {
  // Only methods whose Body can be undefined set If-None-Match in the headers of the call.
  if (response.status === 304 && call.headers['If-None-Match'] !== undefined) return undefined as Body;
  if (!response.ok) throw errorFrom(response, await response.text(), call.operation);
  return call.read(response, limit);
}
