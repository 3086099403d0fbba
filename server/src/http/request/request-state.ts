import type { OperationId, Principal } from '../../operation.ts';

/** What is known about a request so far, for the log and for error responses. */
export interface RequestState {
  requestId: string;
  operation?: OperationId;
  caller?: Principal;
  /** The rate-limit headers of a successful response. */
  rateLimitHeaders?: Readonly<Record<string, string>>;
  /** The status that the operation of a tool call would have over HTTP, where the call itself is answered 200. */
  outcome?: number;
  /** Fields of the operation, for the log. */
  logged?: Readonly<Record<string, string>>;
  /** What was thrown, for the log. */
  error?: unknown;
}
