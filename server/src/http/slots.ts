import { overloaded } from '../errors.ts';

/** How many requests are worked on at once. */
export interface Slots {
  readonly taken: () => number;
  readonly areTaken: () => boolean;
  /** Does some work now, or refuses it at once. */
  readonly run: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

/**
 * Lets as many requests as the limit be worked on at once and refuses those above, so that the others stay quick. A
 * request counts from the moment it is whole: a client that sends slowly takes no slot.
 */
export function createSlots(max: number): Slots {
  let taken = 0;
  const areTaken = (): boolean => taken >= max;
  return {
    taken: () => taken,
    areTaken,
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
