/** Numbers that a seed decides, so that a run can be had again. */
export interface Chance {
  /** From 0 up to, but not including, 1. */
  next(): number;
  /** A whole number from `min` to `max`. */
  between(min: number, max: number): number;
  pick<Value>(values: readonly [Value, ...Value[]]): Value;
}

/** The chance of one row: the same whether it runs alone or after others. */
export function chanceOf(seed: number, name: string): Chance {
  let state = Array.from(name).reduce(
    (sum, letter) => Math.imul(sum ^ letter.charCodeAt(0), 16_777_619),
    seed,
  );
  // Mulberry32: small, and good enough to choose moments.
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return { next, between, pick: (values) => values[between(0, values.length - 1)] ?? values[0] };
}
