import { isConflict, overloaded } from './errors.ts';

// In each round, at least one of the competing writers succeeds.
const attemptsMax = 100;

/** Repeats work that did nothing because another writer was first. Rejects with `Overloaded` after many attempts. */
export async function repeatOnConflict<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let count = 1; ; count += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!isConflict(error)) throw error;
      if (count === attemptsMax) throw overloaded('contended', error);
    }
  }
}
