/** Measures the contenders alternately, so that other load affects all of them. Returns the rounds of each. */
export async function inRounds<Result>(
  rounds: number,
  contenders: readonly (() => Promise<Result>)[],
): Promise<Result[][]> {
  const results = contenders.map((): Result[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [i, measure] of contenders.entries()) results[i]?.push(await measure());
  }
  return results;
}

export function median(values: readonly number[]): number {
  return quantileOf(values, 0.5);
}

/** The value below which this share of the values lies. */
export function quantileOf(values: readonly number[], share: number): number {
  const place = Math.min(values.length - 1, Math.floor(values.length * share));
  return values.toSorted((a, b) => a - b)[place] ?? NaN;
}
