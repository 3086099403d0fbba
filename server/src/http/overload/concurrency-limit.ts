import { overloaded } from '../../errors.ts';

/** Bounds how many calls of `handle` run at the same time. */
export interface ConcurrencyLimit {
  readonly inFlight: () => number;
  readonly isFull: () => boolean;
  /** Runs some work of a caller now, or throws `Overloaded` at once. */
  readonly run: <Result>(callerId: string, work: () => Promise<Result>) => Promise<Result>;
}

/**
 * Runs at most `max` requests at the same time, three quarters of them for one caller, and rejects the others, so that
 * accepted requests stay fast. A request counts once its body has been received: a client that sends slowly does not use
 * up the limit.
 */
export function createConcurrencyLimit(max: number): ConcurrencyLimit {
  const callerMax = Math.ceil(max * 0.75);
  const byCaller = new Map<string, number>();
  let inFlight = 0;
  const isFull = (): boolean => inFlight >= max;
  return {
    inFlight: () => inFlight,
    isFull,
    run: async (callerId, work) => {
      const ofCaller = byCaller.get(callerId) ?? 0;
      if (isFull() || ofCaller >= callerMax) throw overloaded;
      inFlight += 1;
      byCaller.set(callerId, ofCaller + 1);
      try {
        return await work();
      } finally {
        inFlight -= 1;
        const left = (byCaller.get(callerId) ?? 1) - 1;
        if (left === 0) byCaller.delete(callerId);
        else byCaller.set(callerId, left);
      }
    },
  };
}
