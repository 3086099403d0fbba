import type { OperationId } from './resources.ts';
import { isRefusal } from './retries.ts';

export interface ClientOptions {
  /** Where the server is, such as `https://worktable.example.com`. */
  readonly baseUrl: string;
  /** The bearer token, or a function that gets a fresh one for each attempt. */
  readonly token: string | (() => string | Promise<string>);
  /**
   * For each attempt; 60 seconds by default. Between two pieces of a stream it counts anew. `run` has half a minute more
   * than the server waits for the run (150 seconds by default) at least: only the `timeoutMs` of the call can be shorter.
   */
  readonly timeoutMs?: number | undefined;
  /** For a whole call with its retries and the waits between them; by default there is none. */
  readonly deadlineMs?: number | undefined;
  /** How often a failed attempt is repeated, where repeating is safe; 2 by default. */
  readonly retriesMax?: number | undefined;
  /**
   * Is told of every attempt; never of tokens, addresses, bodies or queries. The attempt of a stream ends with its first
   * event. What the function throws is passed over.
   */
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
  /** Ends the call, its waits and its stream with an `AbortError`. */
  readonly signal?: AbortSignal | undefined;
  /** For each attempt, instead of the client's. */
  readonly timeoutMs?: number | undefined;
  /** For the call with its retries and the waits between them, instead of the client's. For a list, for each page. */
  readonly deadlineMs?: number | undefined;
  /** Instead of the client's. */
  readonly retriesMax?: number | undefined;
  /** Further headers, such as `X-Request-Id` or `traceparent`. An option of the same meaning goes before them. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A call that creates or runs: it is repeated under one `Idempotency-Key`, so that it happens once. */
export interface KeyedOptions extends RequestOptions {
  /** By default a random one for each call, which an error tells that leaves open whether the call has happened. */
  readonly idempotencyKey?: string | undefined;
}

/**
 * A call that changes a task. An update is repeated only where the server says that it has done nothing, with or without
 * `ifMatch`, so that it never undoes a later change; an assignment is sent once.
 */
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

/** A call on its way: which operation, with what, and when it may be sent again. */
export interface Call {
  readonly operation: OperationId;
  /** Whether another attempt is safe after one that failed like this. */
  readonly mayRepeatAfter: (error: unknown) => boolean;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly options: RequestOptions;
  /** How long the server may take over it by design. */
  readonly patienceMs?: number;
}

/** A call that changes nothing, or nothing more when it is sent again. */
export function repeatableCall(
  operation: OperationId,
  options: RequestOptions = {},
  headers: Call['headers'] = {},
): Call {
  return { operation, mayRepeatAfter: () => true, headers, options };
}

/**
 * A call that overwrites. When the answer to an attempt is lost, others may have changed the same data since, and another
 * attempt would undo that.
 */
export function overwritingCall(
  operation: OperationId,
  options: RequestOptions = {},
  headers: Call['headers'] = {},
): Call {
  return { operation, mayRepeatAfter: isRefusal, headers, options };
}

/** A POST without a key: it is sent once. */
export function singleCall(
  operation: OperationId,
  options: RequestOptions = {},
  headers: Call['headers'] = {},
): Call {
  return { operation, mayRepeatAfter: () => false, headers, options };
}

/** A POST under its `Idempotency-Key`. */
export function keyedCall(
  operation: OperationId,
  options: KeyedOptions = {},
  headers: Call['headers'] = {},
): Call {
  return repeatableCall(operation, options, { ...headers, 'Idempotency-Key': keyOf(options) });
}

/** The key that the caller gives as an option or as a header, or else a random one. */
export function keyOf({ idempotencyKey, headers = {} }: KeyedOptions): string {
  const [, given] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'idempotency-key') ?? [];
  return idempotencyKey ?? given ?? randomKey();
}

/** 128 random bits. `crypto.randomUUID` is missing from pages that are not served over https. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
