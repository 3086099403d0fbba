import type { OperationId, Principal } from '../../operation.ts';

/** What is known about a request so far, for the log and for error responses. */
export interface RequestState {
  requestId: string;
  operation?: OperationId;
  caller?: Principal;
  /** The rate-limit headers of a successful response. */
  limits?: Readonly<Record<string, string>>;
  /** What was thrown, for the log. */
  error?: unknown;
}
