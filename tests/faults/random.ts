/** A pseudorandom generator with a seed, so that a run can be repeated. */
export interface Random {
  /** From 0 up to, but not including, 1. */
  next(): number;
  /** An integer from `min` to `max`, inclusive. */
  integerBetween(min: number, max: number): number;
  pick<Value>(values: readonly [Value, ...Value[]]): Value;
}

/** Each scenario has its own sequence of numbers, which does not depend on earlier scenarios. */
export function seededRandom(seed: number, scenario: string): Random {
  let state = Array.from(scenario).reduce(
    (sum, letter) => Math.imul(sum ^ letter.charCodeAt(0), 16_777_619),
    seed,
  );
  // Mulberry32.
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integerBetween = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    integerBetween,
    pick: (values) => values[integerBetween(0, values.length - 1)] ?? values[0],
  };
}
