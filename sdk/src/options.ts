import type { OperationId } from './resources.ts';

export interface ClientOptions {
  /** Where the server is, such as `https://worktable.example.com`. */
  readonly baseUrl: string;
  /** The bearer token, or a function that gets a fresh one for each attempt. */
  readonly token: string | (() => string | Promise<string>);
  /** For each attempt; 60 seconds by default. Between two pieces of a stream it counts anew. */
  readonly timeoutMs?: number | undefined;
  /** For a whole call with its retries and the waits between them; by default there is none. */
  readonly deadlineMs?: number | undefined;
  /** How often a failed attempt is repeated, where repeating is safe; 2 by default. */
  readonly retriesMax?: number | undefined;
  /** Is told of every attempt; never of tokens, addresses, bodies or queries. */
  readonly log?: ((entry: LogEntry) => void) | undefined;
  /** Replaces the platform's `fetch`. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
}

/** One attempt of a call. */
export interface LogEntry {
  readonly operation: OperationId;
  /** 1 for the first. */
  readonly attempt: number;
  readonly durationMs: number;
  /** Undefined when no answer came. */
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  /** The name of the error that the attempt failed with. */
  readonly failure: string | undefined;
}

/** What any call can be given. */
export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly deadlineMs?: number | undefined;
  readonly retriesMax?: number | undefined;
  /** Further headers, such as `X-Request-Id` or `traceparent`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A call that creates or runs: it is repeated under one `Idempotency-Key`, so that it happens once. */
export interface KeyedOptions extends RequestOptions {
  /** By default a random one for each call. */
  readonly idempotencyKey?: string | undefined;
}

/** A call that changes a task. */
export interface MatchingOptions extends RequestOptions {
  /** Change the task only if this is still its `ETag`; otherwise a `PreconditionFailedError`. */
  readonly ifMatch?: string | undefined;
}

/** A run that is waited for. */
export interface RunOptions extends KeyedOptions {
  /**
   * `respond-async` answers at once, with a run that goes on in the background; `wait=N` waits for N seconds at most, 120
   * by default.
   */
  readonly prefer?: 'respond-async' | `wait=${number}` | undefined;
}

/** A call on its way: which operation, with what, and whether it may be sent again. */
export interface Call {
  readonly operation: OperationId;
  readonly isRepeatable: boolean;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly options: RequestOptions;
  /** How long the server may take over it by design. */
  readonly patienceMs?: number;
}

/** A call that changes nothing, or the same however often it is sent. */
export function repeatableCall(
  operation: OperationId,
  options: RequestOptions = {},
  headers: Call['headers'] = {},
): Call {
  return { operation, isRepeatable: true, headers, options };
}

/** A POST without a key: it is sent once. */
export function singleCall(
  operation: OperationId,
  options: RequestOptions = {},
  headers: Call['headers'] = {},
): Call {
  return { operation, isRepeatable: false, headers, options };
}

/** A POST under its `Idempotency-Key`. */
export function keyedCall(
  operation: OperationId,
  { idempotencyKey = randomKey(), ...options }: KeyedOptions = {},
  headers: Call['headers'] = {},
): Call {
  return repeatableCall(operation, options, { ...headers, 'Idempotency-Key': idempotencyKey });
}

/** 128 random bits. `crypto.randomUUID` is missing from pages that are not served over https. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
