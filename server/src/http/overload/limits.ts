import type { Config } from '../../config.ts';
import { createByteBudget, type ByteBudget } from './byte-budget.ts';
import { createCallerQueue, type RunPerCaller } from './caller-queue.ts';
import { createConcurrencyLimit, type ConcurrencyLimit } from './concurrency-limit.ts';
import { createResponseBufferLimit, type ResponseBufferLimit } from './response-buffer-limit.ts';

/** The limits that all requests of a server share. */
export interface Limits {
  readonly concurrencyLimit: ConcurrencyLimit;
  readonly runPerCaller: RunPerCaller;
  /** The memory of bodies that are being received. */
  readonly requestBuffers: ByteBudget;
  readonly responseBuffers: ResponseBufferLimit;
}

export function createLimits(config: Config): Limits {
  return {
    concurrencyLimit: createConcurrencyLimit(config.concurrentRequestsMax),
    runPerCaller: createCallerQueue(config.database),
    requestBuffers: createByteBudget(config.bufferedRequestBytesMax),
    responseBuffers: createResponseBufferLimit(config.bufferedResponseBytesMax),
  };
}
