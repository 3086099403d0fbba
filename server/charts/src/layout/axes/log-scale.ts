import { range } from 'd3-array';
import type { NumberFormats } from '../../text/number-formats.ts';
import { shortNumber } from '../../text/numbers.ts';
import { ticksMax, tiny, trimmed, valueScale, type Limits, type ValueScale } from './value-scale.ts';

// If the ratio of the values at the ends is below this, ticks differ by equal amounts, as on a linear axis.
const ratioOfPowers = 3;
/** Which ticks an axis may have: products of first digits and every k-th power of ten. The best are first. */
const tickSets = [
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
  const [from, to] = spread(Math.max(lowest, tiny), Math.max(highest, tiny));
  if (to / from < ratioOfPowers) return withEvenSteps(valueScale(from, to, count, formats, limits));
  const [bottom, top] = [Math.log10(from), Math.log10(to)];
  const countMax = Math.min(ticksMax, count + 3);
  const axes = tickSets.map((ticks) => axisOf(bottom, top, ticks, limits));
  const fits = (countMin: number): LogAxis | undefined =>
    axes.find(({ marks }) => marks.length >= countMin && marks.length <= countMax);
  const { low, high, marks } = fits(3) ?? fits(2) ?? axisOf(bottom, top, tickSets[1], limits);
  // Numbers on this axis differ much in size, so each has its own unit and decimals.
  const own = { ...formats, decimals: undefined };
  const atOf = (mark: number): number => (Math.log10(mark) - low) / (high - low);
  const ticks = marks.map((mark) => ({ at: atOf(mark), text: shortNumber(mark, own) }));
  return { isLog: true, low, high, ticks, showsZero: false };
}

/** Widens a range whose ends are equal, or differ only by a rounding error. */
function spread(from: number, to: number): readonly [from: number, to: number] {
  return to - from > to * 1e-9 ? [from, to] : [from * 0.8, to * 1.25];
}

/** Moves the ticks of a linear scale above zero to their places on a logarithmic scale. */
function withEvenSteps({ low, high, ticks }: ValueScale): ValueScale {
  const logOf = (share: number): number => Math.log10(low + share * (high - low));
  const [bottom, top] = [logOf(0), logOf(1)];
  const moved = ticks.map(({ at, text }) => ({ at: (logOf(at) - bottom) / (top - bottom), text }));
  return { isLog: true, low: bottom, high: top, ticks: moved, showsZero: false };
}

function axisOf(
  from: number,
  to: number,
  { digits = [1], every = 1 }: Partial<(typeof tickSets)[number]> = {},
  { min, max }: Limits,
): LogAxis {
  const powers = range(Math.floor(from / every) * every, Math.ceil(to) + every, every);
  const marks = powers.flatMap((power) => digits.map((digit) => Number(`${digit}e${power}`)));
  const logs = marks.map(Math.log10);
  const first = min === undefined ? logs.findLast((each) => each <= from) : from;
  const last = max === undefined ? logs.find((each) => each >= to) : to;
  const [low, high] = trimmed(from, to, first ?? from, last ?? to);
  return { low, high, marks: marks.filter((_, i) => (logs[i] ?? low) >= low && (logs[i] ?? high) <= high) };
}
