import { range } from 'd3-array';
import type { Chart } from '../../request/chart.ts';
import { decimalsOfStep, denoised } from '../../text/decimals.ts';
import type { NumberFormats } from '../../text/number-formats.ts';
import { axisNumbers } from '../../text/numbers.ts';
import type { Box } from '../sizes.ts';

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
export interface Limits extends Partial<Chart['valueAxis']> {
  /** The unit of the written values, such as a thousand. The ticks have this unit too if possible. */
  readonly valuesUnit?: number | undefined;
  /** True if all values are whole, so that ticks between whole numbers would mean nothing. */
  readonly isWhole?: boolean;
}

/** The most ticks of an axis. More grid lines would clutter the chart. */
export const ticksMax = 8;

/**
 * A scale that includes `low` and `high`, with round numbers as ticks and about `count` steps between them. Without
 * steps, it has no ticks and ends at the values.
 */
export function valueScale(
  low: number,
  high: number,
  count: number,
  formats?: NumberFormats,
  limits: Limits = {},
): ValueScale {
  const { min, max, valuesUnit } = limits;
  const [from, to] = spread(denoised(low), denoised(high));
  if (count === 0) return { isLog: false, low: from, high: to, ticks: [] };
  const step = bestStep(from, to, count, formats, limits);
  const [niceBottom, niceTop] = endsOf(from, to, step);
  const [bottom, top] = spread(min ?? niceBottom, max ?? niceTop, 0);
  const marks = multiplesIn(bottom, top, step).map((i) => denoised(i * step));
  const texts = axisNumbers(marks, step, formats, valuesUnit);
  const ticks = marks.map((value, i) => ({ value, text: texts[i] ?? '' }));
  return { isLog: false, low: bottom, high: top, ticks };
}

/** First digits of steps, the simplest first. */
const digits = [1, 2, 5, 2.5, 4, 3] as const;

/**
 * The step of the best ticks: simple numbers, about as many as wanted, that end near the values. The weights of these
 * three costs decide. (Compare Talbot, Lin and Hanrahan, "An Extension of Wilkinson's Algorithm for Positioning Tick
 * Labels on Axes", 2010.)
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
      const isForWhole = !isWhole || Number.isInteger(shown) || (shown === 0.5 && (to - from) * factor < 2);
      const cost =
        0.12 * rank +
        0.6 * Math.abs(steps / count - 1) +
        2.2 * (1 - (to - from) / (steps * step)) +
        (steps < 4 && multiplesIn(...endsOf(from, to, step), step).length < 3 ? 5 : 0) +
        // 2.5 has one digit more than the other steps, which is worst after a decimal point.
        (digit === 2.5 && !Number.isInteger(shown / unit) ? 0.5 : 0) +
        (decimalsOfStep(shown) <= decimals ? 0 : 5) +
        (isForWhole ? 0 : 10);
      if (cost < least) [best, least] = [step, cost];
    });
  }
  return best;
}

/** The whole numbers whose products with `step` lie between two ends. */
function multiplesIn(bottom: number, top: number, step: number): readonly number[] {
  return range(Math.ceil(denoised(bottom / step)), Math.floor(denoised(top / step)) + 1);
}

/** The factors of the multiples of `step` just below and just above a range. */
function multiplesAround(from: number, to: number, step: number): readonly [first: number, last: number] {
  return [Math.floor(denoised(from / step)), Math.ceil(denoised(to / step))];
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

/** Smaller numbers lack digits for divisions, and are drawn as zeros. */
export const tiny = 1e-290;

/** Widens a range whose ends are equal, or differ only by a rounding error. */
function spread(low: number, high: number, errorMax = 1e-9): [number, number] {
  const largest = Math.max(-low, high);
  if (largest < tiny) return [0, 1];
  if (high - low > largest * errorMax) return [low, high];
  return high > 0 ? [0, high] : [low, 0];
}

/** The number of steps for which the axis has room, from 2 to 7. */
export function tickCount({ sizes, isHorizontal }: Chart, bounds: Box): number {
  const room = isHorizontal ? (bounds.right - bounds.left) / 9 : (bounds.bottom - bounds.top) / 7;
  return Math.max(2, Math.min(7, Math.round(room / sizes.fontSize)));
}

/** Returns true if all drawn values are whole when written, so that 0.5 as 50% is whole. */
export function isDrawnWhole({ series, numbers: { factor } }: Chart): boolean {
  return series.every(({ values }) =>
    values.every((value) => Number.isInteger(denoised((value ?? 0) * factor))),
  );
}

/** The ticks whose numbers do not touch, because each takes a share of the axis. Ticks near zero come first. */
export function withRoom(scale: ValueScale, share: number): readonly Tick[] {
  const shown: Tick[] = [];
  for (const tick of scale.ticks.toSorted((a, b) => Math.abs(a.value) - Math.abs(b.value))) {
    const at = shareAt(scale, tick.value);
    if (shown.every(({ value }) => Math.abs(shareAt(scale, value) - at) > share)) shown.push(tick);
  }
  return scale.ticks.filter((tick) => shown.includes(tick));
}
