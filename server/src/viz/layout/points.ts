import type { Chart } from '../chart.ts';
import type { Coordinates } from '../scene.ts';
import type { Times } from '../times.ts';
import type { BandScale } from './band-scale.ts';
import type { Mark } from './marks.ts';

/** Labels of points stand above them, below those that are lower than both neighbours, and beside a steep line. */
export function pointMarks(line: Coordinates, values: readonly number[]): readonly Mark[] {
  return values.map((value, i) => {
    const [before = value, after = value] = [values[i - 1], values[i + 1]];
    const isLow = values.length > 1 && value <= before && value <= after && before !== after;
    const shift = before < value && value < after ? -1 : before > value && value > after ? 1 : 0;
    return { x: line[2 * i] ?? 0, y: line[2 * i + 1] ?? 0, value, side: isLow ? 'bottom' : 'top', shift };
  });
}

/** The first and the last point are inset, so that their dots and labels have room. */
export function stops(
  { labels: { length: count }, times, sizes: { fontSize, showsText } }: Chart,
  left: number,
  right: number,
  rightInset?: number,
): BandScale {
  if (count === 1) return { start: (left + right) / 2, step: right - left };
  const inset = Math.min((right - left) / count / 2, showsText ? fontSize * 3 : fontSize * 0.3);
  const start = left + inset;
  const width = right - (rightInset ?? inset) - start;
  return { start, step: width / (count - 1), places: times && placesOf(times, start, width) };
}

/** Times as shares of the width between the first and the last; in the middle if all are equal. */
function placesOf({ at }: Times, left: number, width: number): Readonly<Float64Array> {
  const [first, last] = [at[0] ?? 0, at.at(-1) ?? 0];
  if (first === last) return at.map(() => left + width / 2);
  return at.map((time) => left + ((time - first) / (last - first)) * width);
}
