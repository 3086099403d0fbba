import { Problem } from '../errors.ts';

/** How many requests are worked on at once. */
export interface Slots {
  readonly taken: () => number;
  /** Refuses a request that will find no slot, before it has cost anything. */
  readonly refuseWhenFull: () => void;
  /** Does some work now, or refuses it at once. */
  readonly run: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

/**
 * Lets as many requests as the limit be worked on at once and refuses those above, so that the others stay quick. A
 * request counts from the moment it is whole: a client that sends slowly takes no slot.
 */
export function createSlots(max: number): Slots {
  let taken = 0;
  // Made once: to record a stack for each refusal would cost more than the rest of it.
  const overloaded = new Problem('Overloaded', undefined, { retryAfterS: 1 });
  const refuseWhenFull = (): void => {
    if (taken >= max) throw overloaded;
  };
  return {
    taken: () => taken,
    refuseWhenFull,
    run: async (work) => {
      refuseWhenFull();
      taken += 1;
      try {
        return await work();
      } finally {
        taken -= 1;
      }
    },
  };
}
