import { range } from 'd3-array';
import type { Chart } from '../../request/chart.ts';
import type { Bar } from '../../scene.ts';
import type { Values } from '../../request/series.ts';
import type { Plot } from '../plot.ts';
import { isOutside, pixelWithin } from '../axes/value-axis.ts';
import type { Sizes } from '../sizes.ts';
import type { Mark } from '../marks.ts';

/** A slot on the category axis. It has one category, or several if the plot has no room for all. */
export interface Slot {
  readonly middle: number;
  readonly step: number;
  readonly first: number;
  readonly next: number;
}

export interface ValueBar extends Bar {
  readonly value: number;
  /** The middle on the category axis. */
  readonly at: number;
}

export function slotsOf(count: number, plot: Plot, barsPerSlot: number): readonly Slot[] {
  const [left, right] = plot.isHorizontal ? [plot.top, plot.bottom] : [plot.left, plot.right];
  const slotCount = Math.min(count, Math.max(1, Math.floor((right - left) / barsPerSlot)));
  const share = (right - left) / slotCount;
  const { start, step } = slotCount === count ? plot.bandScale : { start: left + share / 2, step: share };
  const firstOf = (slot: number): number => Math.floor((slot * count) / slotCount);
  return range(slotCount).map((i) => ({
    middle: start + i * step,
    step,
    first: firstOf(i),
    next: firstOf(i + 1),
  }));
}

/** The bars of each series by slot; undefined where the series has no value. */
export function groupedBars(
  { series, sizes }: Chart,
  plot: Plot,
  slots: readonly Slot[],
): (ValueBar | undefined)[][] {
  const count = series.length;
  return series.map(({ values }, index) =>
    slots.map((slot): ValueBar | undefined => {
      const span = spanIn(values, slot);
      if (span === undefined) return undefined;
      const [from, value] = span;
      const [start, breadth] = placeInSlot(slot, index, count, sizes);
      const isRound = !isDense(slot, count) && !isOutside(plot, value);
      const ends = [barEnd(plot, from), barEnd(plot, value)] as const;
      const bar = barShape(plot, [start, breadth], ends, isRound);
      return { ...bar, value, at: start + breadth / 2 };
    }),
  );
}

/** The width in pixels for the bars of a slot. */
export function groupBreadth(step: number, count: number, { fontSize }: Sizes): number {
  return count === 1 ? Math.min(step * 0.72, fontSize * 9) : Math.min(step * 0.8, fontSize * 4 * count);
}

/** Returns true for a slot with a single bar, if the slot is too narrow for a gap. */
function isDense({ step }: Slot, count: number): boolean {
  return count === 1 && step < 4;
}

function placeInSlot(
  slot: Slot,
  index: number,
  count: number,
  sizes: Sizes,
): [start: number, breadth: number] {
  const { middle, step } = slot;
  if (isDense(slot, count)) {
    const start = Math.round(middle - step / 2);
    return [start, Math.round(middle + step / 2) - start];
  }
  const group = groupBreadth(step, count, sizes);
  // Round down, because several bars must not be wider than their group.
  const width = count === 1 ? Math.round(group) : Math.max(1, Math.floor(group / count));
  const space = count > 1 ? Math.min(2, Math.floor(width / 8)) : 0;
  return [Math.round(middle - (width * count) / 2) + index * width, width - space];
}

/** The range of a bar: from zero or, if both signs occur, the other extreme, to the value farthest from zero. */
function spanIn(values: Values, { first, next }: Slot): [from: number, to: number] | undefined {
  let [low, high] = [Infinity, -Infinity];
  for (let i = first; i < next; i++) {
    low = Math.min(low, values[i] ?? Infinity);
    high = Math.max(high, values[i] ?? -Infinity);
  }
  if (low > high) return undefined;
  return high < -low ? [Math.max(0, high), low] : [Math.min(0, low), high];
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
  if (isHorizontal) {
    const rounded = !isRound ? 'none' : to < from ? 'left' : 'right';
    return { x: near, y: start, width: length, height: breadth, rounded };
  }
  const rounded = !isRound ? 'none' : to > from ? 'bottom' : 'top';
  return { x: start, y: near, width: breadth, height: length, rounded };
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
