import type { Chart } from '../../request/chart.ts';
import type { Bar } from '../../scene.ts';
import type { Plot } from '../plot.ts';
import { isOutside, pixelWithin } from '../axes/value-axis.ts';
import { placeOf, type Sizes } from '../sizes.ts';
import type { Mark } from '../marks.ts';

export interface ValueBar extends Bar {
  readonly value: number;
  /** The middle on the category axis. */
  readonly at: number;
}

/** The bars of each series by category; undefined where the series has no value. */
export function groupedBars({ series, sizes }: Chart, plot: Plot): (ValueBar | undefined)[][] {
  const count = series.length;
  const { step } = plot.bandScale;
  return series.map(({ values }, index) =>
    values.map((value, i): ValueBar | undefined => {
      if (typeof value !== 'number') return undefined;
      const [start, breadth] = placeInBand(placeOf(plot.bandScale, i), step, index, count, sizes);
      const isRound = !isDense(step, count) && !isOutside(plot, value);
      const bar = barShape(plot, [start, breadth], [plot.base, barEnd(plot, value)], isRound);
      return { ...bar, value, at: start + breadth / 2 };
    }),
  );
}

/** The width in pixels for the bars of a band. */
export function groupBreadth(step: number, count: number, { fontSize }: Sizes): number {
  return count === 1 ? Math.min(step * 0.72, fontSize * 9) : Math.min(step * 0.8, fontSize * 4 * count);
}

/** Returns true for bands of a single bar that are too narrow for a gap. */
function isDense(step: number, count: number): boolean {
  return count === 1 && step < 4;
}

/** Bars are at least one pixel wide, so they overlap if there are more bars than pixels. */
function placeInBand(
  middle: number,
  step: number,
  index: number,
  count: number,
  sizes: Sizes,
): [start: number, breadth: number] {
  if (isDense(step, count)) {
    const start = Math.round(middle - step / 2);
    return [start, Math.max(1, Math.round(middle + step / 2) - start)];
  }
  const group = groupBreadth(step, count, sizes);
  // Round down, because several bars must not be wider than their group.
  const width = count === 1 ? Math.round(group) : Math.floor(group / count);
  if (width < 1) return [Math.floor(middle - group / 2 + (index * group) / count), 1];
  const space = count > 1 ? Math.min(2, Math.floor(width / 8)) : 0;
  return [Math.round(middle - (width * count) / 2) + index * width, width - space];
}

/**
 * The rectangle of a bar, whose far end may be round. In pixels, `start` and `breadth` are on the category axis, `from`
 * and `to` on the value axis.
 */
export function barShape(
  { isHorizontal }: Plot,
  [start, breadth]: readonly [number, number],
  [from, to]: readonly [number, number],
  isRound: boolean,
): Bar {
  const [near, length] = [Math.min(from, to), Math.abs(to - from)];
  const end = isHorizontal ? (to < from ? 'left' : 'right') : to > from ? 'bottom' : 'top';
  const rounded = isRound ? end : 'none';
  return isHorizontal
    ? { x: near, y: start, width: length, height: breadth, rounded }
    : { x: start, y: near, width: breadth, height: length, rounded };
}

/** The end of a bar on the value axis. A bar is at least one pixel long unless its value is zero. */
function barEnd(plot: Plot, value: number): number {
  const { base, isHorizontal } = plot;
  const end = Math.round(pixelWithin(plot, value));
  if (value === 0) return base;
  return value > 0 === isHorizontal ? Math.max(end, base + 1) : Math.min(end, base - 1);
}

/** The mark at the end of a bar. `at` is its position on the category axis. */
export function barMark(plot: Plot, at: number, value: number): Mark {
  const end = barEnd(plot, value);
  if (plot.isHorizontal) return { x: end, y: at, value, side: value < 0 ? 'left' : 'right' };
  return { x: at, y: end, value, side: value < 0 ? 'bottom' : 'top' };
}
