import { Problem } from '../errors.ts';

/** Does some work now, or refuses it at once. */
export interface Slots {
  /** How many are taken. */
  readonly taken: () => number;
  readonly use: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

/**
 * Lets as many requests as the limit be worked on at once and refuses those above, so that the others stay quick. A
 * request counts from the moment it is whole: a client that sends slowly takes no slot.
 */
export function createSlots(max: number): Slots {
  let taken = 0;
  return {
    taken: () => taken,
    use: async (work) => {
      if (taken >= max) throw new Problem('Overloaded', undefined, { retryAfterS: 1 });
      taken += 1;
      try {
        return await work();
      } finally {
        taken -= 1;
      }
    },
  };
}
