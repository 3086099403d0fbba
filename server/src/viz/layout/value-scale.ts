import { nice, ticks, tickStep } from 'd3-array';
import type { Chart } from '../chart.ts';
import { stackOf } from '../series.ts';
import { decimalsOfStep, denoised } from './decimals.ts';
import type { NumberFormats } from './number-formats.ts';
import { axisNumbers } from './numbers.ts';
import type { Box } from './sizes.ts';

/** Maps values to the height of a plot, with round numbers for its ticks. */
export interface ValueScale {
  /** True if the ends are logarithms to base ten. */
  readonly isLog: boolean;
  /** A power of ten. Values are divided by it before they are subtracted. */
  readonly decade: Decade;
  /** The values at the bottom and top, divided by that power. */
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly Tick[];
  readonly showsZero: boolean;
}

export interface Tick {
  readonly at: number;
  readonly text: string;
}

/** The ends of the axis that the request sets. */
export interface Limits {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/** More grid lines would clutter the chart. */
export const ticksMax = 8;

/**
 * A scale at least from `low` to `high`, widened to round numbers about `count` steps apart. Ticks have the unit of the
 * values if possible.
 */
export function valueScale(
  low: number,
  high: number,
  count: number,
  formats?: NumberFormats,
  { min, max, valuesUnit }: Limits & { readonly valuesUnit?: number | undefined } = {},
): ValueScale {
  const decade = decadeOf(Math.max(Math.abs(low), Math.abs(high)));
  const range = spread(denoised(scaled(low, decade)), denoised(scaled(high, decade)));
  const { steps, niceBottom, niceTop } = niceSteps(range, count, formats);
  const bottom = min === undefined ? niceBottom : scaled(min, decade);
  const top = Math.max(max === undefined ? niceTop : scaled(max, decade), bottom + Number.MIN_VALUE);
  const marks = ticks(bottom, top, steps);
  const texts = axisNumbers(marks, tickStep(bottom, top, steps), decade, formats, valuesUnit);
  return {
    isLog: false,
    decade,
    low: bottom,
    high: top,
    ticks: marks.map((mark, i) => ({ at: (mark - bottom) / (top - bottom), text: texts[i] ?? '' })),
    showsZero: bottom <= 0 && top >= 0,
  };
}

interface NiceSteps {
  readonly steps: number;
  readonly niceBottom: number;
  readonly niceTop: number;
}

/** Steps that give few ticks, if possible with no more decimals than the request allows. */
function niceSteps(range: [low: number, high: number], count: number, formats?: NumberFormats): NiceSteps {
  const { decimals = Infinity, factor = 1 } = formats ?? {};
  // A range from just below zero to far above it has no round numbers with a single step.
  const least = range[0] < 0 && range[1] > 0 ? 2 : 1;
  let few: NiceSteps | undefined;
  for (let steps = Math.max(least, count); ; steps--) {
    const [niceBottom, niceTop] = nice(...range, steps);
    const next = { steps, niceBottom, niceTop };
    const areFew = ticks(niceBottom, niceTop, steps).length <= ticksMax;
    if (areFew && decimalsOfStep(tickStep(niceBottom, niceTop, steps) * factor) <= decimals) return next;
    if (areFew) few ??= next;
    if (steps - 1 < least) return few ?? next;
  }
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
 * Differences of the largest floating-point numbers overflow, and the smallest ones have too few digits for division.
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

/** As many ticks as the axis has room for. If all values are whole, there are no ticks between whole numbers. */
export function tickCount(
  chart: Chart,
  [low, high]: readonly [low: number, high: number],
  bounds: Box,
): number {
  const { sizes } = chart;
  if (!sizes.showsText) return 6;
  const steps = chart.isHorizontal
    ? (bounds.right - bounds.left) / (sizes.fontSize * 9)
    : (bounds.bottom - bounds.top) / (sizes.fontSize * 5);
  const byLength = Math.max(2, Math.min(7, Math.round(steps)));
  const hasWholeSteps = high - low >= 1 && high - low < byLength && isDrawnWhole(chart);
  return hasWholeSteps ? Math.round(high - low) : byLength;
}

function isDrawnWhole({ labels, series, isStacked }: Chart): boolean {
  if (isStacked) return labels.every((_, i) => isWhole(stackOf(series, i).sum));
  return series.every(({ values }) => values.every((value) => isWhole(value ?? 0)));
}

/** Accepts a sum with a rounding error, such as 0.7 + 0.1 + 0.2. */
function isWhole(value: number): boolean {
  return Math.abs(value - Math.round(value)) <= Math.abs(value) * 1e-9;
}

/**
 * Every tick, or every second or third tick, so that the numbers do not touch. Counted from zero, or from the lowest
 * tick.
 */
export function withRoom(scale: ValueScale, length: number, textSpace: number): readonly Tick[] {
  const { ticks } = scale;
  if (scale.isLog) return apart(ticks, textSpace / length);
  const zeroAt = shareAt(scale, 0);
  const gap = ((ticks[1]?.at ?? 1) - (ticks[0]?.at ?? 0)) * length;
  const every = Math.max(1, Math.ceil(textSpace / Math.max(gap, 1)));
  const first = Math.max(
    0,
    ticks.findIndex((tick) => tick.at === zeroAt),
  );
  return ticks.filter((_, i) => (i - first) % every === 0);
}

/** The ticks of a logarithmic scale that are far enough from the previous tick. */
function apart(ticks: readonly Tick[], distanceMin: number): readonly Tick[] {
  const spaced: Tick[] = [];
  for (const tick of ticks) if (tick.at - (spaced.at(-1)?.at ?? -Infinity) >= distanceMin) spaced.push(tick);
  return spaced;
}
