// In units of the line's width. The round ends of a dash add one unit to it.
const patterns = [
  [3, 3],
  [0.1, 2.5],
  [6, 3],
  [4, 3, 0.1, 3],
] as const;

/** The dashes of a series. The first four are solid lines; eight colours are too many to tell apart in print. */
export function seriesDash(index: number, width: number): readonly number[] {
  const pattern = index < patterns.length ? [] : (patterns[index % patterns.length] ?? []);
  return pattern.map((length) => length * width);
}
