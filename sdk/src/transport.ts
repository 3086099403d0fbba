import createFetchClient, { type Client as FetchClient } from 'openapi-fetch';
import { ApiError, ConnectionError, errorFrom, InvalidResponseError, WorktableError } from './errors.ts';
import type { paths } from './generated/contract.ts';
import { headersOf } from './headers.ts';
import type { Call } from './options.ts';
import type { Answer } from './result.ts';
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

type Send<Body> = (init: Init) => Promise<Exchange<Body>>;

/** An answer whose body is still to come: the time limit runs on and is the caller's to end. */
export type OpenAnswer<Body> = Answer<Body> & { readonly limit: TimeLimit };

export interface Transport {
  readonly api: FetchClient<paths, 'application/json'>;
  /** Sends a call until it is answered or there is no use in another attempt. */
  readonly send: <Body>(call: Call, send: Send<Body>) => Promise<Answer<Body>>;
  readonly open: <Body>(call: Call, send: Send<Body>) => Promise<OpenAnswer<Body>>;
}

export function createTransport(settings: Settings): Transport {
  return {
    api: createFetchClient<paths, 'application/json'>({
      baseUrl: settings.baseUrl,
      fetch: settings.fetch,
      bodySerializer: jsonOf,
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

/** Attempts the call until one attempt is answered, or another makes no sense or comes too late. */
async function persist<Body>(settings: Settings, call: Call, send: Send<Body>): Promise<OpenAnswer<Body>> {
  const { signal, ...given } = call.options;
  checkNumbers({ timeoutMs: given.timeoutMs, deadlineMs: given.deadlineMs, retriesMax: given.retriesMax });
  const timeoutMs = given.timeoutMs ?? Math.max(settings.timeoutMs, call.patienceMs ?? 0);
  const deadlineAtMs = Date.now() + (given.deadlineMs ?? settings.deadlineMs);
  const attemptsMax = call.isRepeatable ? 1 + (given.retriesMax ?? settings.retriesMax) : 1;

  for (let attempt = 1; ; attempt += 1) {
    const limit = startTimeLimit({ timeoutMs, deadlineAtMs, signal });
    try {
      return { ...(await attemptOnce(settings, call, { attempt, limit, send })), limit };
    } catch (error) {
      limit.end();
      if (attempt >= attemptsMax) throw error;
      const nowMs = Date.now();
      const delayMs = retryDelayMs(error, attempt, { random: Math.random(), nowMs });
      if (delayMs === undefined || nowMs + delayMs >= deadlineAtMs) throw error;
      await sleep(delayMs, signal);
    }
  }
}

interface Attempt<Body> {
  readonly attempt: number;
  readonly limit: TimeLimit;
  readonly send: Send<Body>;
}

async function attemptOnce<Body>(
  settings: Settings,
  call: Call,
  { attempt, limit, send }: Attempt<Body>,
): Promise<Answer<Body>> {
  const startedMs = Date.now();
  const tell = (status: number | undefined, requestId: string | undefined, failure?: unknown): void => {
    const name = failure instanceof Error ? failure.name : undefined;
    const durationMs = Date.now() - startedMs;
    settings.log?.({ operation: call.operation, attempt, durationMs, status, requestId, failure: name });
  };
  try {
    const token = await limit.race(settings.token());
    const init = { headers: headersOf(call, token), signal: limit.signal };
    const { body, response } = await limit.race(exchange(send, init));
    const requestId = response.headers.get('X-Request-Id') ?? undefined;
    tell(response.status, requestId);
    return {
      data: body,
      response: { status: response.status, headers: response.headers, requestId, attempts: attempt },
    };
  } catch (error) {
    const failure = error instanceof ApiError ? error : undefined;
    tell(failure?.status, failure?.requestId, error);
    throw error;
  }
}

/** Sends once, and tells failures of the server, of the connection and of the answer apart. */
async function exchange<Body>(send: Send<Body>, init: Init): Promise<{ body: Body; response: Response }> {
  const { data, error, response } = await send(init).catch((cause: unknown) => {
    if (cause instanceof WorktableError) throw cause;
    if (cause instanceof SyntaxError) throw new InvalidResponseError('The answer is not JSON.', { cause });
    throw new ConnectionError('The server cannot be reached, or the connection broke.', { cause });
  });
  // The one failure's status that is no failure: what the caller has is still current.
  const isCurrent = response.status === 304 && init.headers.has('If-None-Match');
  if (!response.ok && !isCurrent) throw errorFrom(response, error);
  if (data === undefined && !isCurrent) throw new InvalidResponseError('The answer has no body.');
  // Undefined only with 304, and whoever asks for that has Body include it.
  return { body: data as Body, response };
}

function jsonOf(body: unknown): string {
  try {
    return JSON.stringify(body);
  } catch (cause) {
    throw new WorktableError('The body cannot be written as JSON.', { cause });
  }
}
