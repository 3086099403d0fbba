import type { OperationId, Principal } from '../../operation.ts';
import { randomUUID } from 'node:crypto';

/** The known facts about a request, for the log and for error responses. */
export interface RequestState {
  requestId: string;
  operation?: OperationId;
  caller?: Principal;
  /** True if the operation changes nothing, so that its response can be withheld. */
  isSafe?: boolean;
  /** The rate-limit headers of a successful response. */
  rateLimitHeaders?: Readonly<Record<string, string>>;
  /** True for `/healthz`, `/readyz` and `/metrics`. */
  isProbe?: true;
  /** True if the load shedder has rejected the request. */
  isShed?: true;
  /** The status that the operation of a tool call would have over HTTP. The call itself is answered 200. */
  outcome?: number;
  /** Fields of the operation, for the log. */
  logged?: Readonly<Record<string, string>>;
  /** The thrown error, for the log. */
  error?: unknown;
}

/** The id of a request: the client's own X-Request-Id if it is safe to log, otherwise a new one. */
export function requestIdFrom(header: string): string {
  return /^[A-Za-z0-9._-]{1,128}$/.test(header) ? header : randomUUID();
}
