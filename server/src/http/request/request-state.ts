import type { OperationId, Principal } from '../../operation.ts';

/** What is known of a request so far, for the log and for failures. */
export interface RequestState {
  requestId: string;
  operation?: OperationId;
  caller?: Principal;
  /** What a success tells of the rate limits. */
  limits?: Readonly<Record<string, string>>;
  /** What went wrong, for the log. */
  error?: unknown;
}
