import { range } from 'd3-array';
import type { Chart } from '../../request/chart.ts';
import { decimalsOfStep, denoised } from '../../text/decimals.ts';
import { english, type NumberFormats } from '../../text/number-formats.ts';
import { axisNumbers, shortNumber } from '../../text/numbers.ts';

/** Maps values to the height of a plot, with round numbers for its ticks. */
export interface ValueScale {
  /** True if the ends are logarithms to base ten. */
  readonly isLog: boolean;
  /** The values, or their logarithms, at the bottom and top. */
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly Tick[];
}

export interface Tick {
  readonly value: number;
  readonly text: string;
}

/** What the request and the values require of an axis. */
interface Limits extends Partial<Chart['valueAxis']> {
  /** The unit of the written values, such as a thousand. The ticks have this unit too if possible. */
  readonly valuesUnit?: number | undefined;
  /** True if all values are whole, so that ticks between whole numbers would mean nothing. */
  readonly isWhole?: boolean;
}

/** The most ticks of an axis. More grid lines would clutter the chart. */
const ticksMax = 8;

/**
 * A scale that includes `low` and `high`, with round numbers as ticks and about `count` steps between them. Without
 * steps, it has no ticks and ends at the values.
 */
export function valueScale(
  low: number,
  high: number,
  count: number,
  formats: NumberFormats = english,
  limits: Limits = {},
): ValueScale {
  const [from, to] = widened(denoised(low), denoised(high));
  if (count === 0) return { isLog: false, low: from, high: to, ticks: [] };
  const step = bestStep(from, to, count, formats, limits);
  const { places, ...ends } = axisOf(from, to, multiplesAround(from, to, step), limits);
  const texts = axisNumbers(places, step, formats, limits.valuesUnit);
  const ticks = places.map((value, i) => ({ value, text: texts[i] ?? '' }));
  return { isLog: false, ...ends, ticks };
}

/** First digits of steps, the simplest first. */
const digits = [1, 2, 5, 2.5, 4, 3] as const;

/**
 * The step of the best ticks: simple numbers, about as many as wanted, that end near the values. The first three costs
 * weigh these; the others avoid ticks that mislead. (Compare Talbot, Lin and Hanrahan, "An Extension of Wilkinson's
 * Algorithm for Positioning Tick Labels on Axes", 2010.)
 */
function bestStep(
  from: number,
  to: number,
  count: number,
  { factor, decimals = Infinity, units }: NumberFormats,
  limits: Limits,
): number {
  const exponent = Math.floor(Math.log10((to - from) / count));
  const largest = Math.max(-from, to) * factor;
  const unit = largest < 1e4 ? 1 : (units.find((each) => each.unit <= largest)?.unit ?? 1);
  let [best, leastCost] = [to - from, Infinity];
  for (let power = exponent - 1; power <= exponent + 1; power++)
    for (const [rank, digit] of digits.entries()) {
      const step = denoised(digit * 10 ** power);
      // Far too many ticks, which need no exact count.
      if ((to - from) / step > ticksMax) continue;
      const [first, last] = factorsAround(from, to, step);
      const steps = last - first;
      if (steps >= ticksMax || (from < 0 && to > 0 && steps < 2)) continue;
      const shown = denoised(step * factor);
      // If only two ticks would be whole numbers, a half is allowed between them.
      const isForWhole = Number.isInteger(shown) || (shown === 0.5 && (to - from) * factor < 2);
      const cost =
        0.12 * rank +
        0.6 * Math.abs(steps / count - 1) +
        2.2 * (1 - (to - from) / (steps * step)) +
        // 2.5 has one digit more than the other steps, which is worst after a decimal point.
        (digit === 2.5 && !Number.isInteger(shown / unit) ? 0.5 : 0) +
        (decimalsOfStep(shown) <= decimals ? 0 : 5) +
        (limits.isWhole === true && !isForWhole ? 10 : 0);
      // The axis is only computed for a step that could win.
      if (cost >= leastCost) continue;
      const hasFew = steps < 4 && axisOf(from, to, multiplesAround(from, to, step), limits).places.length < 3;
      const total = hasFew ? cost + 5 : cost;
      if (total < leastCost) [best, leastCost] = [step, total];
    }
  return best;
}

/** The factors of the multiples of `step` just below and just above a range. */
function factorsAround(from: number, to: number, step: number): readonly [first: number, last: number] {
  return [Math.floor(denoised(from / step)), Math.ceil(denoised(to / step))];
}

function multiplesAround(from: number, to: number, step: number): readonly number[] {
  const [first, last] = factorsAround(from, to, step);
  return range(first, last + 1).map((factor) => denoised(factor * step));
}

/** The ends of an axis, and the places of its ticks between them. */
type Axis = Pick<ValueScale, 'low' | 'high'> & { readonly places: readonly number[] };

/** The space beyond the values at an end that is not round, as a share of their range, to show the smallest value. */
const endRoom = 0.03;

/**
 * An axis with ticks at these places. It ends at the limits of the request, or else at the places around the values. If
 * more than 15 % of it would be empty then, an end without a limit moves near the values.
 */
function axisOf(from: number, to: number, places: readonly number[], { min, max }: Limits): Axis {
  let low = (min === undefined ? places.findLast((place) => place <= from) : undefined) ?? from;
  let high = (max === undefined ? places.find((place) => place >= to) : undefined) ?? to;
  const isEmpty = (): boolean => to - from < (high - low) * 0.85;
  const room = (to - from) * endRoom;
  if (isEmpty() && from - low > high - to) low = from - room;
  if (isEmpty()) high = to + room;
  if (isEmpty()) low = from - room;
  return { low, high, places: places.filter((place) => place >= low && place <= high) };
}

/** Smaller numbers lack digits for divisions, and are drawn as zeros. */
export const tiny = 1e-290;

/** Widens a range whose ends are equal, or differ only by a rounding error. */
function widened(low: number, high: number): readonly [low: number, high: number] {
  const largest = Math.max(-low, high);
  if (largest < tiny) return [0, 1];
  if (high - low > largest * 1e-9) return [low, high];
  return high > 0 ? [0, high] : [low, 0];
}

// If the ratio of the values at the ends is below this, ticks differ by equal amounts, as on a linear axis.
const ratioOfPowers = 3;
/** Which ticks an axis may have: products of first digits and every k-th power of ten. The best are first. */
const tickSets = [
  ...[[1, 2, 5], [1], [1, 3], [1, 2, 3, 5, 7]].map((firstDigits) => ({ firstDigits, every: 1 })),
  ...[2, 3, 5, 10, 20, 50, 100, 200, 500].map((every) => ({ firstDigits: [1], every })),
];

/** A logarithmic scale, with round numbers as ticks. A small range has ticks at even distances. */
export function logScale(
  lowest: number,
  highest: number,
  count: number,
  formats: NumberFormats,
  limits: Limits = {},
): ValueScale {
  const [smallest, largest] = [Math.max(lowest, tiny), Math.max(highest, tiny)];
  // Values that differ by no more than a rounding error are in the middle of the axis.
  const areEqual = largest - smallest <= largest * 1e-9;
  const [from, to] = areEqual ? [smallest * 0.8, largest * 1.25] : [smallest, largest];
  if (to / from < ratioOfPowers) {
    const { low, high, ticks } = valueScale(from, to, count, formats, limits);
    return { isLog: true, low: Math.log10(Math.max(low, tiny)), high: Math.log10(high), ticks };
  }
  const [bottom, top] = [Math.log10(from), Math.log10(to)];
  const axes = tickSets.map(({ firstDigits, every }) => {
    const powers = range(Math.floor(bottom / every) * every, Math.ceil(top) + every, every);
    const marks = powers.flatMap((power) => firstDigits.map((digit) => Number(`${digit}e${power}`)));
    return axisOf(bottom, top, marks.map(Math.log10), limits);
  });
  const countMax = Math.min(ticksMax, count + 3);
  const excessOf = ({ places: { length } }: Axis): number =>
    length > countMax ? length : Math.max(0, 3 - length);
  const { places, ...ends } = axes.reduce((best, axis) => (excessOf(axis) < excessOf(best) ? axis : best));
  // Numbers on this axis differ much in size, so each has its own unit and decimals.
  const own = { ...formats, decimals: undefined };
  const values = places.map((place) => denoised(10 ** place));
  return { isLog: true, ...ends, ticks: values.map((value) => ({ value, text: shortNumber(value, own) })) };
}

export function showsZero({ isLog, low, high }: ValueScale): boolean {
  return !isLog && low <= 0 && high >= 0;
}

/**
 * The position of a value as a share of the height: 0 at the bottom, 1 at the top. Values outside the axis are at a
 * limited distance, so that coordinates can be computed.
 */
export function shareAt({ isLog, low, high }: ValueScale, value: number): number {
  const share = ((isLog ? Math.log10(value) : value) - low) / (high - low);
  return Math.min(Math.max(share, -farOutside), farOutside);
}

const farOutside = 1e4;

/** The ticks whose numbers do not touch, if each takes this share of the axis. Ticks near zero are preferred. */
export function withRoom(scale: ValueScale, share: number): readonly Tick[] {
  const shown: Tick[] = [];
  for (const tick of scale.ticks.toSorted((a, b) => Math.abs(a.value) - Math.abs(b.value))) {
    const at = shareAt(scale, tick.value);
    if (shown.every(({ value }) => Math.abs(shareAt(scale, value) - at) > share)) shown.push(tick);
  }
  return scale.ticks.filter((tick) => shown.includes(tick));
}
