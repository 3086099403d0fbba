import { range } from 'd3-array';
import type { Chart } from '../../request/chart.ts';
import { stacksOf } from '../../request/series.ts';
import { decimalsOfStep, denoised } from '../../text/decimals.ts';
import type { NumberFormats } from '../../text/number-formats.ts';
import { axisNumbers } from '../../text/numbers.ts';
import type { Box } from '../sizes.ts';

/** Maps values to the height of a plot, with round numbers for its ticks. */
export interface ValueScale {
  /** True if the ends are logarithms to base ten. */
  readonly isLog: boolean;
  /** Before values are subtracted from each other, they are divided by `10^decade`. */
  readonly decade: Decade;
  /** The values at the bottom and top, divided by `10^decade`. */
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly Tick[];
  readonly showsZero: boolean;
}

export interface Tick {
  readonly at: number;
  readonly text: string;
}

/** What the request and the values require of an axis. */
export interface Limits extends Partial<Chart['valueAxis']> {
  /** The unit of the written values, such as a thousand. The ticks have this unit too if possible. */
  readonly valuesUnit?: number | undefined;
  /** True if all values are whole, so that ticks between whole numbers would mean nothing. */
  readonly isWhole?: boolean;
  /** True if the axis has neither ticks nor numbers, because every value is written. */
  readonly isHidden?: boolean;
}

/** The most ticks of an axis. More grid lines would clutter the chart. */
export const ticksMax = 8;

/** A scale that includes `low` and `high`, with round numbers as ticks and about `count` steps between them. */
export function valueScale(
  low: number,
  high: number,
  count: number,
  formats?: NumberFormats,
  limits: Limits = {},
): ValueScale {
  const { min, max, valuesUnit, isHidden = false } = limits;
  const decade = decadeOf(Math.max(Math.abs(low), Math.abs(high)));
  const [from, to] = spread(denoised(scaled(low, decade)), denoised(scaled(high, decade)));
  const step = isHidden ? to - from : bestStep(from, to, count, formats, limits);
  const [niceBottom, niceTop] = isHidden ? [from, to] : endsOf(from, to, step);
  const bottom = min === undefined ? niceBottom : scaled(min, decade);
  const top = Math.max(max === undefined ? niceTop : scaled(max, decade), bottom + Number.MIN_VALUE);
  const marks = isHidden ? [] : multiplesIn(bottom, top, step).map((i) => denoised(i * step));
  const texts = axisNumbers(marks, step, decade, formats, valuesUnit);
  return {
    isLog: false,
    decade,
    low: bottom,
    high: top,
    ticks: marks.map((mark, i) => ({ at: (mark - bottom) / (top - bottom), text: texts[i] ?? '' })),
    showsZero: bottom <= 0 && top >= 0,
  };
}

/** First digits of steps, the simplest first. */
const digits = [1, 2, 5, 2.5, 4, 3] as const;
const costs = {
  digit: 0.12,
  count: 0.6,
  empty: 2.2,
  fraction: 0.5,
  few: 5,
  decimals: 5,
  unsuitable: 10,
} as const;

/**
 * The step of the best ticks: simple numbers, about as many as wanted, that end near the values. (Compare Talbot, Lin
 * and Hanrahan, "An Extension of Wilkinson's Algorithm for Positioning Tick Labels on Axes", 2010.)
 */
function bestStep(
  from: number,
  to: number,
  count: number,
  { factor = 1, decimals = Infinity, units = [] }: Partial<NumberFormats> = {},
  { isWhole = false }: Limits,
): number {
  const exponent = Math.floor(Math.log10((to - from) / count));
  const largest = Math.max(-from, to) * factor;
  const unit = largest < 1e4 ? 1 : (units.find((each) => each.unit <= largest)?.unit ?? 1);
  let [best, least] = [to - from, Infinity];
  for (let power = exponent - 1; power <= exponent + 1; power++) {
    digits.forEach((digit, rank) => {
      const step = Number(`${digit}e${power}`);
      const [first, last] = multiplesAround(from, to, step);
      const steps = last - first;
      if (steps >= ticksMax || (from < 0 && to > 0 && steps < 2)) return;
      const shown = denoised(step * factor);
      // If only two ticks would be whole numbers, a half is allowed between them.
      const isSuitable = !isWhole || Number.isInteger(shown) || (shown === 0.5 && (to - from) * factor < 2);
      const cost =
        costs.digit * rank +
        costs.count * Math.abs(steps / count - 1) +
        costs.empty * (1 - (to - from) / (steps * step)) +
        (steps < 4 && multiplesIn(...endsOf(from, to, step), step).length < 3 ? costs.few : 0) +
        // 2.5 has one digit more than the other steps, which is worst after a decimal point.
        (digit === 2.5 && !Number.isInteger(shown / unit) ? costs.fraction : 0) +
        (isSuitable ? 0 : costs.unsuitable) +
        (decimalsOfStep(shown) > decimals ? costs.decimals : 0);
      if (cost < least) [best, least] = [step, cost];
    });
  }
  return best;
}

/** The whole numbers whose products with `step` lie between two ends. */
function multiplesIn(bottom: number, top: number, step: number): readonly number[] {
  return range(Math.ceil(denoised(bottom / step)), Math.floor(denoised(top / step)) + 1);
}

/** The factors of the multiples of `step` just below and just above a range. Tiny quotients may underflow to 0. */
function multiplesAround(from: number, to: number, step: number): readonly [first: number, last: number] {
  const first = Math.min(Math.floor(denoised(from / step)), from < 0 ? -1 : Infinity);
  return [first, Math.max(Math.ceil(denoised(to / step)), to > 0 ? 1 : -Infinity)];
}

/** The space beyond the values at an end that is not round, as a share of their range, to show the smallest value. */
const endRoom = 0.03;

/** The ends of an axis at multiples of a step, if they are near the values. */
function endsOf(from: number, to: number, step: number): readonly [bottom: number, top: number] {
  const [bottom = 0, top = 0] = multiplesAround(from, to, step).map((each) => denoised(each * step));
  return trimmed(from, to, bottom, top);
}

/** The ends of an axis, or ends near the values where more than 15 % of the axis would be empty. */
export function trimmed(from: number, to: number, first: number, last: number): [number, number] {
  let [bottom, top] = [first, last];
  const isEmpty = (): boolean => to - from < (top - bottom) * 0.85;
  const room = (to - from) * endRoom;
  if (isEmpty() && from - bottom > top - to) bottom = from - room;
  if (isEmpty()) top = to + room;
  if (isEmpty()) bottom = from - room;
  return [bottom, top];
}

/**
 * The position of a value as a share of the height: 0 at the bottom, 1 at the top. Values outside the axis are at a
 * limited distance, so that coordinates can be computed.
 */
export function shareAt({ isLog, decade, low, high }: ValueScale, value: number): number {
  const share = ((isLog ? Math.log10(value) : scaled(value, decade)) - low) / (high - low);
  return Math.min(Math.max(share, -farOutside), farOutside);
}

const farOutside = 1e4;

type Decade = 300 | 0 | -300;

/**
 * The exponent that avoids two errors: differences of huge numbers overflow, and tiny numbers lack digits for division.
 */
function decadeOf(largest: number): Decade {
  if (largest > 1e300) return 300;
  return largest > 0 && largest < 1e-290 ? -300 : 0;
}

export function scaled(value: number, decade: Decade): number {
  if (decade === 0) return value;
  return decade > 0 ? value / 1e300 : value * 1e300;
}

/** Widens a range whose ends are equal, or differ only by a rounding error. */
function spread(low: number, high: number): [number, number] {
  if (high - low > Math.max(Math.abs(low), Math.abs(high)) * 1e-9) return [low, high];
  if (high === 0) return [0, 1];
  return high > 0 ? [0, high] : [low, 0];
}

/** The number of steps for which the axis has room, from 2 to 7. */
export function tickCount({ sizes, isHorizontal }: Chart, bounds: Box): number {
  if (!sizes.showsText) return 6;
  const room = isHorizontal ? (bounds.right - bounds.left) / 9 : (bounds.bottom - bounds.top) / 7;
  return Math.max(2, Math.min(7, Math.round(room / sizes.fontSize)));
}

/** Returns true if all drawn values are whole when written, so that 0.5 as 50% is whole. */
export function isDrawnWhole({ labels, series, isStacked, numbers: { factor } }: Chart): boolean {
  // A sum may have a rounding error, such as 0.7 + 0.1 + 0.2.
  const isWhole = (value: number): boolean => Math.abs(value - Math.round(value)) <= Math.abs(value) * 1e-9;
  if (isStacked) return stacksOf({ labels, series }).every(({ sum }) => isWhole(sum * factor));
  return series.every(({ values }) => values.every((value) => isWhole((value ?? 0) * factor)));
}

/**
 * The ticks whose numbers do not touch. On a linear axis, these are every tick or every k-th tick, counted from zero if
 * it is a tick, and otherwise from the lowest tick.
 */
export function withRoom(scale: ValueScale, length: number, textSpace: number): readonly Tick[] {
  const { ticks } = scale;
  if (scale.isLog) {
    let free = -Infinity;
    return ticks.filter(({ at }) => {
      const isApart = at >= free;
      if (isApart) free = at + textSpace / length;
      return isApart;
    });
  }
  const zeroAt = shareAt(scale, 0);
  const gap = ((ticks[1]?.at ?? 1) - (ticks[0]?.at ?? 0)) * length;
  const every = Math.max(1, Math.ceil(textSpace / Math.max(gap, 1)));
  const zero = ticks.findIndex((tick) => Math.abs(tick.at - zeroAt) < 1e-9);
  return ticks.filter((_, i) => (i - Math.max(0, zero)) % every === 0);
}
