import { overloaded } from '../../errors.ts';

/** How many requests are worked on at once. */
export interface ConcurrencyLimit {
  readonly inFlight: () => number;
  readonly isFull: () => boolean;
  /** Does some work now, or refuses it at once. */
  readonly run: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

/**
 * Lets as many requests as the limit be worked on at once and refuses those above, so that the others stay quick. A
 * request counts from the moment it is whole: a client that sends slowly takes no slot.
 */
export function createConcurrencyLimit(max: number): ConcurrencyLimit {
  let taken = 0;
  const areTaken = (): boolean => taken >= max;
  return {
    inFlight: () => taken,
    isFull: areTaken,
    run: async (work) => {
      if (areTaken()) throw overloaded;
      taken += 1;
      try {
        return await work();
      } finally {
        taken -= 1;
      }
    },
  };
}
