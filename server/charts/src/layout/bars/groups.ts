import type { Chart } from '../../request/chart.ts';
import type { Bar, Text } from '../../scene.ts';
import type { Plot } from '../plot.ts';
import { isOutside, pixelAt, pixelWithin } from '../axes/value-axis.ts';
import { capHeight, placeOf, type BandScale, type Sizes } from '../sizes.ts';
import type { Mark } from '../marks.ts';
import { textWidth } from '../../text/text-width.ts';
import type { ValueLabels } from '../labels/value-labels.ts';

export interface ValueBar extends Bar {
  readonly value: number;
  /** The middle on the category axis. */
  readonly at: number;
}

/** The bars of each series by category; undefined where the series has no value. */
export function groupedBars(
  { series, sizes }: Chart,
  plot: Plot,
  bands: BandScale,
): (ValueBar | undefined)[][] {
  const count = series.length;
  return series.map(({ values }, index) =>
    values.map((value, i): ValueBar | undefined => {
      if (typeof value !== 'number') return undefined;
      const [start, breadth] = placeInBand(bands, i, index, count, sizes);
      const isRound = !isDense(bands, count) && !isOutside(plot, value);
      const bar = barShape(plot, [start, breadth], [plot.base, barEnd(plot, value)], isRound);
      return { ...bar, value, at: start + breadth / 2 };
    }),
  );
}

/** The width in pixels for the bars of a band. */
export function groupBreadth(step: number, count: number, { fontSize }: Sizes): number {
  return count === 1 ? Math.min(step * 0.72, fontSize * 9) : Math.min(step * 0.8, fontSize * 4 * count);
}

/** Returns true for bands with a single bar that are too narrow for a gap. */
function isDense({ step }: BandScale, count: number): boolean {
  return count === 1 && step < 4;
}

/** The place in pixels of a bar of the group, or of the only bar or stack, in a band. */
export function placeInBand(
  bands: BandScale,
  band: number,
  index: number,
  count: number,
  sizes: Sizes,
): [start: number, breadth: number] {
  const { step } = bands;
  const middle = placeOf(bands, band);
  if (isDense(bands, count)) {
    const start = Math.round(middle - step / 2);
    return [start, Math.round(middle + step / 2) - start];
  }
  const group = groupBreadth(step, count, sizes);
  // Round down, because several bars must not be wider than their group.
  const width = count === 1 ? Math.round(group) : Math.max(1, Math.floor(group / count));
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
  const sign = value < 0 ? -1 : 1;
  return plot.isHorizontal
    ? { x: end, y: at, value, side: [sign, 0] }
    : { x: at, y: end, value, side: [0, -sign] };
}

/**
 * The value of a bar inside it, if it fits: in the middle of a part of a stack, or at the end of another bar. There, a
 * reference line moves it towards the foot.
 */
export function textInside(
  { x, y, width, height, value, at }: ValueBar,
  { write }: ValueLabels,
  { isStacked, lines, sizes: { small: size } }: Chart,
  plot: Plot,
): Text | undefined {
  const text = write(value);
  const [padX, padY] = isStacked ? [4, size * 0.5] : [size * 0.9, size * 0.9];
  const [wide, high] = [textWidth(text, size, 'bold') + padX, size * capHeight + padY];
  if (wide > width || high > height) return undefined;
  const down = (size * capHeight) / 2;
  const middle = { x: x + width / 2, y: y + height / 2 + down, text };
  if (isStacked) return middle;
  const mark = barMark(plot, at, value);
  const [end, inward] = plot.isHorizontal ? [mark.x, -mark.side[0]] : [mark.y, -mark.side[1]];
  const [length, reach] = plot.isHorizontal ? [width, wide / 2] : [height, high / 2];
  const crossed = lines.map((line) => (pixelAt(plot, line.value) - end) * inward).sort((a, b) => a - b);
  let distance = reach;
  for (const each of crossed) if (Math.abs(each - distance) < reach) distance = each + reach;
  if (distance + reach > length) return undefined;
  const place = end + inward * distance;
  return plot.isHorizontal ? { ...middle, x: place } : { ...middle, y: place + down };
}
