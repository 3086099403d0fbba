import { CallerAmounts } from '../../caller-share.ts';
import { overloaded } from '../../errors.ts';

/** Bounds how many calls of `handle` run at the same time. */
export interface ConcurrencyLimit {
  readonly inFlight: () => number;
  /** Whether no further request can run, of this caller if one is given. */
  readonly isFull: (callerId?: string) => boolean;
  /** Runs some work of a caller now, or throws `Overloaded` at once. */
  readonly run: <Result>(callerId: string, work: () => Promise<Result>) => Promise<Result>;
}

/**
 * Runs at most `max` requests at the same time, at most three quarters of them from one caller, and rejects the others, so
 * that accepted requests stay fast. A request counts once its body has been received: a client that sends slowly does not
 * use up the limit.
 */
export function createConcurrencyLimit(max: number): ConcurrencyLimit {
  const callerMax = Math.ceil(max * 0.75);
  const running = new CallerAmounts();
  const isFull = (callerId?: string): boolean =>
    running.total >= max || (callerId !== undefined && running.of(callerId) >= callerMax);
  return {
    inFlight: () => running.total,
    isFull,
    run: async (callerId, work) => {
      if (isFull(callerId)) throw overloaded.MAX_CONCURRENT_REQUESTS;
      running.add(callerId, 1);
      try {
        return await work();
      } finally {
        running.add(callerId, -1);
      }
    },
  };
}
