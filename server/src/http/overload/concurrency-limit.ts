import { overloaded } from '../../errors.ts';

/** Bounds how many calls of `handle` run at the same time. */
export interface ConcurrencyLimit {
  readonly inFlight: () => number;
  readonly isFull: () => boolean;
  /** Runs some work now, or throws `Overloaded` at once. */
  readonly run: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

/**
 * Runs at most `max` requests at the same time and rejects the others, so that accepted requests stay fast. A request
 * counts once its body has been received: a client that sends slowly does not use up the limit.
 */
export function createConcurrencyLimit(max: number): ConcurrencyLimit {
  let inFlight = 0;
  const isFull = (): boolean => inFlight >= max;
  return {
    inFlight: () => inFlight,
    isFull,
    run: async (work) => {
      if (isFull()) throw overloaded;
      inFlight += 1;
      try {
        return await work();
      } finally {
        inFlight -= 1;
      }
    },
  };
}
