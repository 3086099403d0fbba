import { range } from 'd3-array';
import type { NumberFormats } from '../../text/number-formats.ts';
import { shortNumber } from '../../text/numbers.ts';
import { ticksMax, trimmed, valueScale, type Limits, type ValueScale } from './value-scale.ts';

// If the ratio of the values at the ends is below this, ticks differ by equal amounts, as on a linear axis.
const ratioOfPowers = 3;
/** Sets of first digits of ticks, the best set first: [1, 2, 5] has ticks at 1, 2, 5, 10, 20 and so on. */
const digitsOfTicks = [[1, 2, 5], [1], [1, 3], [1, 2, 3, 5, 7]] as const;

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
  const [from, to] = spread(Math.max(lowest, Number.MIN_VALUE), highest);
  if (to / from < ratioOfPowers) return withEvenSteps(valueScale(from, to, count, formats, limits));
  const [bottom, top] = [Math.log10(from), Math.log10(to)];
  const axes = digitsOfTicks
    .map((digits) => axisOf(bottom, top, digits, limits))
    .filter(({ marks }) => marks.length > 1 && marks.length <= Math.min(ticksMax, count + 1));
  const best = axes.find(({ marks }) => marks.length > 2) ?? axes[0];
  const { low, high, marks } = best ?? axisOfPowers(bottom, top, count, limits);
  // Numbers on this axis differ much in size, so each has its own unit and decimals.
  const own = { ...formats, decimals: undefined };
  const atOf = (mark: number): number => (Math.log10(mark) - low) / (high - low);
  const ticks = marks.map((mark) => ({ at: atOf(mark), text: shortNumber(mark, own) }));
  return { isLog: true, decade: 0, low, high, ticks, showsZero: false };
}

/** Widens a range whose ends are equal, or differ only by a rounding error. */
function spread(from: number, to: number): readonly [from: number, to: number] {
  if (to - from > to * 1e-9) return [from, to];
  return [from * 0.8, Math.max(2 * Number.MIN_VALUE, Math.min(to * 1.25, Number.MAX_VALUE))];
}

/** Moves the ticks of a linear scale above zero to their places on a logarithmic scale. */
function withEvenSteps({ decade, low, high, ticks }: ValueScale): ValueScale {
  const logOf = (share: number): number => Math.log10(low + share * (high - low));
  const [bottom, top] = [logOf(0), logOf(1)];
  const moved = ticks.map(({ at, text }) => ({ at: (logOf(at) - bottom) / (top - bottom), text }));
  return { isLog: true, decade: 0, low: bottom + decade, high: top + decade, ticks: moved, showsZero: false };
}

/** An axis with every product of these digits and a power of ten. */
function axisOf(from: number, to: number, digits: readonly number[], { min, max }: Limits): LogAxis {
  const powers = range(Math.floor(from), Math.ceil(to) + 1);
  const marks = powers.flatMap((power) => digits.map((digit) => Number(`${digit}e${power}`)));
  const logs = marks.map(Math.log10);
  const first = min === undefined ? logs.findLast((each) => each <= from) : from;
  const last = max === undefined ? logs.find((each) => each >= to) : to;
  const [low, high] = trimmed(from, to, first ?? from, last ?? to);
  return { low, high, marks: marks.filter((_, i) => (logs[i] ?? low) >= low && (logs[i] ?? high) <= high) };
}

/** An axis with so few powers of ten that their numbers have room. */
function axisOfPowers(from: number, to: number, count: number, { min, max }: Limits): LogAxis {
  const limits = { min: min && from, max: max && to, isWhole: true };
  const { low, high, ticks } = valueScale(from, to, count, undefined, limits);
  const marks = ticks.map(({ at }) => Number(`1e${Math.round(low + at * (high - low))}`));
  return { low, high, marks: marks.filter((mark) => mark > 0 && mark < Infinity) };
}
