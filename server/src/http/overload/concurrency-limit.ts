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
  const byCaller = new Map<string, number>();
  let inFlight = 0;
  const ofCaller = (callerId: string): number => byCaller.get(callerId) ?? 0;
  const isFull = (callerId?: string): boolean =>
    inFlight >= max || (callerId !== undefined && ofCaller(callerId) >= callerMax);
  return {
    inFlight: () => inFlight,
    isFull,
    run: async (callerId, work) => {
      if (isFull(callerId)) throw overloaded;
      inFlight += 1;
      byCaller.set(callerId, ofCaller(callerId) + 1);
      try {
        return await work();
      } finally {
        inFlight -= 1;
        const left = ofCaller(callerId) - 1;
        if (left === 0) byCaller.delete(callerId);
        else byCaller.set(callerId, left);
      }
    },
  };
}
