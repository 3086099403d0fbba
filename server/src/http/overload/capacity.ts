import type { OperationId, Operations } from '../../operation.ts';
import type { Limits } from './limits.ts';

/** Whether a request would exceed a limit that is known before the request runs. It is then answered with 503. */
export interface CapacityChecks {
  /** Whether the operation can take no further request, of this caller if one is given. */
  readonly isOverloaded: (id: OperationId, callerId?: string) => boolean;
  /** The same for requests whose operation is not known yet. */
  readonly isAtCapacity: () => boolean;
}

/** An operation has its own limit (`isFull`) or else the concurrency limit; all share the memory of unread responses. */
export function createCapacityChecks<Services>(
  operations: Operations<Services>,
  services: Services,
  { concurrencyLimit, responseBuffers }: Pick<Limits, 'concurrencyLimit' | 'responseBuffers'>,
): CapacityChecks {
  return {
    isOverloaded: (id, callerId) =>
      responseBuffers.isFull(callerId) ||
      (operations[id].isFull?.(services, callerId) ?? concurrencyLimit.isFull(callerId)),
    isAtCapacity: () => responseBuffers.isFull() || concurrencyLimit.isFull(),
  };
}
