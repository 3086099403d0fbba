import { randomUUID } from 'node:crypto';
import type { Place } from '../place.ts';
import type { OperationId, Caller, RequestContext, RequestParts } from '../../contract/operation.ts';

/** What the steps of a request share with each other, with the access log and with error responses. */
export interface RequestState {
  requestId: string;
  operation?: OperationId;
  caller?: Caller;
  /** What the request uses of the limits. */
  place: Place;
  /** True if the operation changes nothing. A 503 may then replace its response. */
  isSafe?: boolean;
  /** The rate-limit headers of a successful response. */
  rateLimitHeaders?: Readonly<Record<string, string>>;
  /** True for `/healthz`, `/readyz` and `/metrics`. */
  isProbe?: true;
  /** The HTTP status that the operation of a tool call would have. The call itself gets 200. */
  outcome?: number;
  /** Fields that the operation adds to the log line. */
  logged?: Readonly<Record<string, string>>;
  /** Where a client without a token learns how to get one (RFC 9728). Only requests to `/mcp` have it. */
  resourceMetadataUrl?: string | undefined;
  /** The thrown error, for the log. */
  error?: unknown;
}

/** A request for an operation, authenticated and received: from an HTTP client or from a call of a tool. */
export interface ReceivedRequest {
  readonly operation: OperationId;
  readonly caller: Caller;
  readonly path: NonNullable<RequestParts['path']>;
  /** Parses the other parts of the request. It can be called once. */
  readonly parse: () => Omit<RequestParts, 'path'>;
  readonly context: RequestContext;
  readonly state: RequestState;
}

/** The id of a request: the client's X-Request-Id if it is safe to log, otherwise a new id. */
export function requestIdFrom(header: string): string {
  return /^[A-Za-z0-9._-]{1,128}$/.test(header) ? header : randomUUID();
}
