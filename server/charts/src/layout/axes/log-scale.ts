import { range } from 'd3-array';
import type { NumberFormats } from '../../text/number-formats.ts';
import { shortNumber } from '../../text/numbers.ts';
import { ticksMax, tiny, trimmed, valueScale, type Limits, type ValueScale } from './value-scale.ts';

// If the ratio of the values at the ends is below this, ticks differ by equal amounts, as on a linear axis.
const ratioOfPowers = 3;
type TickSet = Readonly<{ digits: readonly number[]; every: number }>;
/** Which ticks an axis may have: products of first digits and every k-th power of ten. The best are first. */
const tickSets: readonly TickSet[] = [
  ...[[1, 2, 5], [1], [1, 3], [1, 2, 3, 5, 7]].map((digits) => ({ digits, every: 1 })),
  ...[2, 3, 5, 10, 20, 50, 100, 200, 500].map((every) => ({ digits: [1], every })),
];

/** The logarithms of the ends of an axis, and the values of its ticks. */
type LogAxis = Pick<ValueScale, 'low' | 'high'> & { readonly marks: readonly number[] };

/** A logarithmic scale. Its ends are `min` and `max`, or else round numbers if these are near the values. */
export function logScale(
  lowest: number,
  highest: number,
  count: number,
  formats: NumberFormats,
  limits: Limits = {},
): ValueScale {
  const [least, most] = [Math.max(lowest, tiny), Math.max(highest, tiny)];
  // Values that differ by no more than a rounding error are in the middle of the axis.
  const [from, to] = most - least > most * 1e-9 ? [least, most] : [least * 0.8, most * 1.25];
  if (to / from < ratioOfPowers) {
    const { low, high, ticks } = valueScale(from, to, count, formats, limits);
    return { isLog: true, low: Math.log10(Math.max(low, tiny)), high: Math.log10(high), ticks };
  }
  const [bottom, top] = [Math.log10(from), Math.log10(to)];
  const countMax = Math.min(ticksMax, count + 3);
  const axes = tickSets.map((ticks) => axisOf(bottom, top, ticks, limits));
  const fits = (countMin: number): LogAxis | undefined =>
    axes.find(({ marks }) => marks.length >= countMin && marks.length <= countMax);
  const { low, high, marks } = fits(3) ?? fits(2) ?? axisOf(bottom, top, { digits: [1], every: 1 }, limits);
  // Numbers on this axis differ much in size, so each has its own unit and decimals.
  const own = { ...formats, decimals: undefined };
  const ticks = marks.map((value) => ({ value, text: shortNumber(value, own) }));
  return { isLog: true, low, high, ticks };
}

function axisOf(from: number, to: number, { digits, every }: TickSet, { min, max }: Limits): LogAxis {
  const powers = range(Math.floor(from / every) * every, Math.ceil(to) + every, every);
  const marks = powers.flatMap((power) => digits.map((digit) => Number(`${digit}e${power}`)));
  const logs = marks.map(Math.log10);
  const first = min === undefined ? logs.findLast((each) => each <= from) : from;
  const last = max === undefined ? logs.find((each) => each >= to) : to;
  const [low, high] = trimmed(from, to, first ?? from, last ?? to);
  return { low, high, marks: marks.filter((_, i) => (logs[i] ?? low) >= low && (logs[i] ?? high) <= high) };
}
