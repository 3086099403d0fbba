import { createHash } from 'node:crypto';

/** Pseudorandom numbers with a seed, so that a run can be repeated. */
export interface Random {
  /** From 0 up to, but not including, 1. */
  next(): number;
  /** An integer from `min` to `max`, inclusive. */
  integerBetween(min: number, max: number): number;
  pick<Value>(values: readonly [Value, ...Value[]]): Value;
}

/** Each scenario has its own sequence of numbers, which does not depend on earlier scenarios. */
export function seededRandom(seed: number, scenario: string): Random {
  let count = 0;
  const next = (): number =>
    createHash('sha256').update(`${seed} ${scenario} ${count++}`).digest().readUInt32BE() / 2 ** 32;
  const integerBetween = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    integerBetween,
    pick: (values) => values[integerBetween(0, values.length - 1)] ?? values[0],
  };
}
