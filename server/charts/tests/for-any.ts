import fc from 'fast-check';

type Arbitraries<Inputs> = { [Index in keyof Inputs]: fc.Arbitrary<Inputs[Index]> };

/** Checks a promise for this many random inputs. */
export function forAny<Inputs extends [unknown, ...unknown[]]>(
  runs: number,
  inputs: Arbitraries<Inputs>,
  check: (...inputs: Inputs) => void,
): void {
  fc.assert(fc.property(...inputs, check), { numRuns: runs });
}
