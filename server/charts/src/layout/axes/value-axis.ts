import { greatest, least } from 'd3-array';
import { chartKinds } from '../../request/chart-kinds.ts';
import type { Chart, Point } from '../../request/chart.ts';
import { stacksOf, type Stack } from '../../request/series.ts';
import type { Rules } from '../../scene.ts';
import type { Box } from '../sizes.ts';
import { shareAt, type ValueScale } from './value-scale.ts';

/** The ends of the value axis in pixels, and its scale. */
export interface ValueAxis extends Box {
  readonly scale: ValueScale;
  /** True if values run from left to right, and categories from top to bottom. */
  readonly isHorizontal: boolean;
}

/** The coordinate of a value: x on a horizontal value axis, y on a vertical one. */
export function pixelAt({ scale, isHorizontal, left, top, right, bottom }: ValueAxis, value: number): number {
  const share = shareAt(scale, value);
  return isHorizontal ? left + share * (right - left) : bottom - share * (bottom - top);
}

/** The coordinate of a value, limited to the ends of the axis. */
export function pixelWithin(axis: ValueAxis, value: number): number {
  const [low, high] = axis.isHorizontal ? [axis.left, axis.right] : [axis.top, axis.bottom];
  return Math.min(Math.max(pixelAt(axis, value), low), high);
}

/** Returns true if a value is beyond the limits of the axis. */
export function isOutside(axis: ValueAxis, value: number): boolean {
  return Math.abs(pixelWithin(axis, value) - pixelAt(axis, value)) > 0.5;
}

/** Lines across the value axis. They are in the middle of pixel rows or columns, where they are sharp. */
export function rules(
  places: readonly number[],
  { isHorizontal, left, top, right, bottom }: Omit<ValueAxis, 'scale'>,
  stroke: Rules['stroke'],
  width: number,
): Rules {
  const lines = places.map((place) => {
    const at = Math.round(place) + (width % 2) / 2;
    return isHorizontal ? [at, top, at, bottom] : [left, at, right, at];
  });
  return { kind: 'rules', stroke, width, lines };
}

/** Returns true if the axis needs numbers even if every value is written: for limits, logarithms or unnamed lines. */
export function isValueAxisNeeded({ valueAxis: { min, max, isLog }, lines }: Chart): boolean {
  return isLog || min !== undefined || max !== undefined || lines.some(({ label }) => label === '');
}

/** The first point with the smallest value, and the first with the largest. */
export interface Extremes {
  readonly lowest: Point;
  readonly highest: Point;
}

/** The extremes of all values or, if the series are stacked, of these sums of the stacks that have values. */
export function extremesOf({ labels, series, isStacked }: Chart, ...ways: (keyof Stack)[]): Extremes {
  const stacks = isStacked ? stacksOf({ labels, series }) : [];
  const hasValue = (i: number): boolean => series.some(({ values }) => typeof values[i] === 'number');
  const sums = ways.map((way) => stacks.map((each, i) => (hasValue(i) ? each[way] : null)));
  const lists = isStacked ? sums.map((values) => ({ name: '', values })) : series;
  const points = lists.flatMap(({ name, values }) => {
    let [low, high] = [Infinity, -Infinity];
    for (const value of values)
      if (typeof value === 'number') {
        low = Math.min(low, value);
        high = Math.max(high, value);
      }
    const labelAt = (index: number): string => [name, labels[index]].filter(Boolean).join(', ');
    // Without numbers, `low` stays above `high`.
    return low > high ? [] : [low, high].map((end) => ({ label: labelAt(values.indexOf(end)), value: end }));
  });
  return outermost(points);
}

/** The extremes of the values and the reference lines. */
export function withLines({ lowest, highest }: Extremes, { lines }: Chart): Extremes {
  return outermost([lowest, highest, ...lines]);
}

function outermost(points: readonly Point[]): Extremes {
  const none = { label: '', value: 0 };
  const valueOf = ({ value }: Point): number => value;
  return { lowest: least(points, valueOf) ?? none, highest: greatest(points, valueOf) ?? none };
}

/**
 * The range of the value axis. Bars and areas start at zero or, on a logarithmic axis, below the lowest value. Lines
 * show change, so their range includes zero only if values come near it. A limit of the request replaces an end; if all
 * values are beyond it, the other end is half its size away.
 */
export function extentOf(
  { kind, isArea, valueAxis: { min, max, isLog } }: Chart,
  { lowest, highest }: Extremes,
): readonly [low: number, high: number] {
  let [low, high] = [lowest.value, highest.value];
  const startsAtZero = chartKinds[kind].hasBands || isArea;
  if (isLog) low = startsAtZero ? low / 2 : low;
  else if (low > 0 && (startsAtZero || low < high * 0.4)) low = 0;
  else if (high < 0 && (startsAtZero || high > low * 0.4)) high = 0;
  [low, high] = [min ?? low, max ?? high];
  if (low < high || (min === undefined && max === undefined)) return [low, high];
  const length = Math.abs(max ?? low) / 2 || 1;
  return max === undefined ? [low, low + length] : [high - length, high];
}
