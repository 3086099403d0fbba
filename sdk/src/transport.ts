import createFetchClient, { type Client as FetchClient } from 'openapi-fetch';
import { errorFrom } from './error-from.ts';
import { ApiError, ConnectionError, InvalidResponseError, WorktableError } from './errors.ts';
import type { paths } from './generated/contract.ts';
import { headersOf, withToken } from './headers.ts';
import { withKey } from './open-outcome.ts';
import type { Call, LogEntry } from './options.ts';
import type { Answer, KeyedAnswer } from './result.ts';
import { retryDelayMs } from './retries.ts';
import { checkNumbers, type Settings } from './settings.ts';
import { sleep, startTimeLimit, type TimeLimit } from './time-limit.ts';

/** What one attempt of a call is sent with. */
interface Init {
  readonly headers: Headers;
  readonly signal: AbortSignal;
}

/** One exchange with the server, as openapi-fetch tells it. */
interface Exchange<Body> {
  readonly data?: Body | undefined;
  readonly error?: unknown;
  readonly response: Response;
}

type Send<Body> = (init: Init, limit: TimeLimit) => Promise<Exchange<Body>>;

/** An answer whose body is still to come: the time limit runs on and is the caller's to end. */
export type OpenAnswer<Body> = KeyedAnswer<Body> & { readonly limit: TimeLimit };

export interface Transport {
  readonly api: FetchClient<paths, 'application/json'>;
  /** Sends a call until it is answered or there is no use in another attempt. */
  readonly send: <Body>(call: Call, send: Send<Body>) => Promise<KeyedAnswer<Body>>;
  readonly open: <Body>(call: Call, send: Send<Body>) => Promise<OpenAnswer<Body>>;
}

export function createTransport(settings: Settings): Transport {
  return {
    api: createFetchClient<paths, 'application/json'>({
      baseUrl: settings.baseUrl,
      fetch: settings.fetch,
      // Following one could carry the token elsewhere, or turn a POST into a GET.
      redirect: 'manual',
    }),
    open: (call, send) => persist(settings, call, send),
    async send(call, send) {
      const { limit, ...answer } = await persist(settings, call, send);
      limit.end();
      return answer;
    },
  };
}

/** Sends a call as often as it takes; the error of a keyed call has its key where the outcome is open. */
async function persist<Body>(settings: Settings, call: Call, send: Send<Body>): Promise<OpenAnswer<Body>> {
  const { 'Idempotency-Key': idempotencyKey } = call.headers;
  const failures: unknown[] = [];
  try {
    return { ...(await repeat(settings, call, { send, failures })), idempotencyKey };
  } catch (error) {
    throw withKey(error, idempotencyKey, failures);
  }
}

interface Attempts<Body> {
  readonly send: Send<Body>;
  /** Takes what each failed attempt failed with. */
  readonly failures: unknown[];
}

/** Attempts the call until one attempt is answered, or another makes no sense or comes too late. */
async function repeat<Body>(
  settings: Settings,
  call: Call,
  { send, failures }: Attempts<Body>,
): Promise<Answer<Body> & { limit: TimeLimit }> {
  const { signal, ...given } = call.options;
  checkNumbers({ timeoutMs: given.timeoutMs, deadlineMs: given.deadlineMs, retriesMax: given.retriesMax });
  const headers = headersOf(call);
  const timeoutMs = given.timeoutMs ?? Math.max(settings.timeoutMs, call.patienceMs ?? 0);
  const deadlineAtMs = Date.now() + (given.deadlineMs ?? settings.deadlineMs);
  const attemptsMax = 1 + (given.retriesMax ?? settings.retriesMax);

  for (let attempt = 1; ; attempt += 1) {
    const limit = startTimeLimit({ timeoutMs, deadlineAtMs, signal });
    try {
      return { ...(await attemptOnce(settings, call, { attempt, headers, limit, send })), limit };
    } catch (error) {
      limit.end();
      failures.push(error);
      if (attempt >= attemptsMax || !call.mayRepeatAfter(error)) throw error;
      const nowMs = Date.now();
      const delayMs = retryDelayMs(error, attempt, { random: Math.random(), nowMs });
      if (delayMs === undefined || nowMs + delayMs >= deadlineAtMs) throw error;
      await sleep(delayMs, signal);
    }
  }
}

interface Attempt<Body> {
  readonly attempt: number;
  readonly headers: Headers;
  readonly limit: TimeLimit;
  readonly send: Send<Body>;
}

async function attemptOnce<Body>(
  settings: Settings,
  call: Call,
  { attempt, headers, limit, send }: Attempt<Body>,
): Promise<Answer<Body>> {
  const startedMs = Date.now();
  const log = (status: number | undefined, requestId: string | undefined, error?: unknown): void => {
    const failure = error instanceof Error ? error.name : undefined;
    const durationMs = Date.now() - startedMs;
    tell(settings, { operation: call.operation, attempt, durationMs, status, requestId, failure });
  };
  try {
    const token = await limit.race(settings.token);
    const init = { headers: withToken(headers, token), signal: limit.signal };
    const { data, response } = await limit.race(() => exchange(call, () => send(init, limit)));
    const requestId = response.headers.get('X-Request-Id') ?? undefined;
    log(response.status, requestId);
    return {
      data,
      response: { status: response.status, headers: response.headers, requestId, attempts: attempt },
    };
  } catch (error) {
    const failure = error instanceof ApiError ? error : undefined;
    log(failure?.status, failure?.requestId, error);
    throw error;
  }
}

/** Sends once, and tells failures of the server, of the connection and of the answer apart. */
async function exchange<Body>(
  { headers }: Call,
  send: () => Promise<Exchange<Body>>,
): Promise<{ data: Body; response: Response }> {
  const { data, error, response } = await send().catch((cause: unknown) => {
    if (cause instanceof WorktableError) throw cause;
    if (cause instanceof SyntaxError) throw new InvalidResponseError('The answer is not JSON.', { cause });
    throw new ConnectionError('The server cannot be reached, or the connection broke.', { cause });
  });
  // What the caller has is still current. Only a method that asks for it by itself has a Body that can be undefined.
  const isCurrent = response.status === 304 && headers['If-None-Match'] !== undefined;
  if (isCurrent) return { data: undefined as Body, response };
  if (!response.ok) throw errorFrom(response, error);
  if (data === undefined) throw new InvalidResponseError('The answer has no body.');
  return { data, response };
}

function tell({ log }: Settings, entry: LogEntry): void {
  try {
    log?.(entry);
  } catch {
    // What becomes of a call is not for its log to decide.
  }
}
