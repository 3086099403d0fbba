import type { WorktableError } from './errors.ts';
import type { OperationId, RunStreamQuery } from './resources.ts';

/** Options of `createClient`. An option of a call overrides the option of the client with the same name. */
export interface ClientOptions extends Omit<RequestOptions, 'signal'> {
  /**
   * Base URL of the server, such as `https://worktable.example.com`. In a browser, it may also be a path such as `/`.
   */
  readonly baseUrl: string;
  /** Bearer token, or a function that returns one. */
  readonly token: string | TokenFunction;
  /**
   * Called after each attempt. The entry contains no token, URL, query or body. The attempt of a stream ends when the
   * stream opens. Errors of this function are ignored.
   */
  readonly log?: ((entry: LogEntry) => void) | undefined;
  /** Called before each wait between attempts of a call or a stream. Errors of this function are ignored. */
  readonly onRetry?: ((wait: RetryWait) => void) | undefined;
  /** Called when a call succeeds after a wait; for streams, use `onState`. Errors of this function are ignored. */
  readonly onRecovery?: ((operation: OperationId) => void) | undefined;
  /** Replaces the global `fetch`. */
  readonly fetch?: ((request: Request, options?: FetchOptions) => Promise<Response>) | undefined;
}

/**
 * Returns the bearer token for an attempt. If the server refuses it with 401, the function is called once more with
 * `refresh` true: it must then return a new token, not a cached one.
 */
export type TokenFunction = (options: { readonly refresh: boolean }) => string | Promise<string>;

/** Options of `fetch` that the client does not set itself. */
export type FetchOptions = Omit<RequestInit, 'body' | 'headers' | 'method' | 'redirect' | 'signal'>;

/** Log entry of one attempt of a call. */
export interface LogEntry {
  readonly operation: OperationId;
  /** Number of the attempt, starting at 1. */
  readonly attempt: number;
  readonly durationMs: number;
  /** Undefined if the attempt received no response, or an invalid one. */
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  /** Name of the error of the attempt; undefined if the attempt succeeded. */
  readonly failure: string | undefined;
}

/** A wait before another attempt. */
export interface RetryWait {
  readonly operation: OperationId;
  /** Number of the failed attempt, starting at 1. In a stream, each event resets it to 1. */
  readonly attempt: number;
  /** The error that caused the wait. */
  readonly error: WorktableError;
  /** A whole number of milliseconds. */
  readonly retryInMs: number;
}

/** Options of every call. Each overrides the option of the client with the same name. */
export interface RequestOptions {
  /** Aborts the call, including its retry delays and its stream, with an `AbortError`. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Time limit of each attempt in milliseconds; the default is 60,000. A stream must open within it, and counts as lost
   * after 20 seconds without data. For `agents.run`, a shorter limit of the client is raised to 30 seconds more than
   * the server waits for the run: by default, to 150 seconds.
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Time limit of a whole call in milliseconds, including retries and the delays between them. No limit by default. In a
   * list, it applies to each page.
   */
  readonly deadlineMs?: number | undefined;
  /** Maximum number of retries of a call that is safe to retry; the default is 2. */
  readonly retriesMax?: number | undefined;
  /**
   * Additional headers, such as `X-Request-Id` or `traceparent`. Each overrides the client's header with the same name.
   * Options with the same meaning, such as `ifMatch`, take precedence. `Accept` has no effect.
   */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Options that are passed to `fetch`, such as `cache` or `credentials`. Each overrides the client's option with the
   * same name.
   */
  readonly fetchOptions?: FetchOptions | undefined;
}

/**
 * Options of a call that creates or runs something. All retries have the same `Idempotency-Key`, so the call takes
 * effect only once.
 */
export interface IdempotentOptions extends RequestOptions {
  /**
   * Idempotency key of the call. The default is a random key, which the error contains if the call may have taken
   * effect.
   */
  readonly idempotencyKey?: string | undefined;
}

/**
 * Options of a call that changes a task. Updates, and assignments with `ifMatch`, are retried only if the server
 * reports that it did nothing. So a retry cannot undo a later change, or fail because the first attempt has changed the
 * `ETag`.
 */
export interface ConditionalOptions extends RequestOptions {
  /** Change the task only if its current `ETag` is this one; otherwise throw a `PreconditionFailedError`. */
  readonly ifMatch?: string | undefined;
}

/** Options of `agents.run`. */
export interface RunOptions extends IdempotentOptions {
  /**
   * `respond-async` returns the unfinished run immediately; the run continues in the background. `wait=N` waits at most
   * N seconds for the run to finish; the default is 120.
   */
  readonly prefer?: 'respond-async' | `wait=${number}` | undefined;
}

/** Options of `runs.stream`. `deadlineMs` limits the whole stream. */
export interface RunStreamOptions extends RequestOptions, RunStreamQuery {
  /** The `id` of the last `message` event that you have received. */
  readonly lastEventId?: string | undefined;
}

/** Options of `sessions.follow`. `deadlineMs` limits the whole stream. */
export interface SessionStreamOptions extends RequestOptions, Pick<RunStreamOptions, 'lastEventId'> {
  /** The id of the message after which the stream begins. */
  readonly after?: string | undefined;
}

/**
 * The state of a stream of changes. It is `paused` while the page is hidden, unless tabs share the stream. It is
 * `offline` instead of `lost` while the device has no network.
 */
export type StreamState =
  | { readonly state: 'connecting' | 'live' | 'paused' }
  | { readonly state: 'lost' | 'offline'; readonly reason: string; readonly retryInMs: number };

/** Options of `tasks.changes`. */
export interface ChangeOptions extends RequestOptions {
  /** Called when the state of the stream changes. Errors of this function are ignored. */
  readonly onState?: ((state: StreamState) => void) | undefined;
}
