import { overloaded, type Problem } from '../../errors.ts';
import type { OperationId, Operations } from '../../operation.ts';
import type { Limits } from './limits.ts';

/** Finds the limit that a request would exceed, as far as it is known before the request runs. */
export interface CapacityChecks {
  /** The 503 of the operation if it can take no further request, of this caller if one is given. */
  readonly findRejection: (id: OperationId, callerId?: string) => Problem | undefined;
  /** The same for requests whose operation is not known yet. */
  readonly findSharedRejection: (callerId?: string) => Problem | undefined;
}

/** An operation has a queue of its own or else the concurrency limit; all share the memory of unread responses. */
export function createCapacityChecks<Services>(
  operations: Operations<Services>,
  services: Services,
  { concurrencyLimit, responseBuffers }: Pick<Limits, 'concurrencyLimit' | 'responseBuffers'>,
): CapacityChecks {
  const findSharedRejection: CapacityChecks['findSharedRejection'] = (callerId) => {
    if (responseBuffers.isFull(callerId)) return overloaded.MAX_BUFFERED_RESPONSE_BYTES;
    return concurrencyLimit.isFull(callerId) ? overloaded.MAX_CONCURRENT_REQUESTS : undefined;
  };
  return {
    findSharedRejection,
    findRejection: (id, callerId) => {
      const { queue } = operations[id];
      if (queue === undefined) return findSharedRejection(callerId);
      if (responseBuffers.isFull(callerId)) return overloaded.MAX_BUFFERED_RESPONSE_BYTES;
      return queue.findRejection(services, callerId);
    },
  };
}

export function throwIfRejected(rejection: Problem | undefined): void {
  if (rejection !== undefined) throw rejection;
}
