import { ascending } from 'd3-array';
import type { Chart } from '../../request/chart.ts';
import type { Bar, Text } from '../../scene.ts';
import type { Plot, ValueLabels } from '../plot.ts';
import { stacksOf } from '../../request/series.ts';
import { isOutside, pixelAt, pixelWithin } from '../axes/value-axis.ts';
import { capHeight, placeOf, type BandScale, type Sizes } from '../sizes.ts';
import { textWidth } from '../../text/text-width.ts';
import type { Mark } from '../marks.ts';

export type ValueBar = Bar & { readonly value: number };

/** In bands of fewer pixels, bars have no round corners, and single ones no gap between them. */
const denseStep = 4;

/** The bars of each series by category; undefined where the series has no value. */
export function groupedBars(chart: Chart, plot: Plot, bands: BandScale): (ValueBar | undefined)[][] {
  const placeIn = placesIn(bands, chart.series.length, chart.sizes);
  return chart.series.map(({ values }, index) =>
    values.map((value, i): ValueBar | undefined => {
      if (typeof value !== 'number') return undefined;
      const isRound = bands.step >= denseStep && !isOutside(plot, value);
      return { ...barShape(plot, placeIn(i, index), [plot.base, barEnd(plot, value)], isRound), value };
    }),
  );
}

/** The stack of each category. A bar is at least one pixel long unless its value is zero. */
export function stackedBars({ labels, series, sizes }: Chart, plot: Plot, bands: BandScale): ValueBar[][] {
  const bars = series.map((): ValueBar[] => []);
  const placeIn = placesIn(bands, 1, sizes);
  for (const category of labels.keys()) {
    for (const isUp of [true, false]) {
      const parts = series.flatMap(({ values }, index) => {
        const value = values[category] ?? 0;
        return value !== 0 && value > 0 === isUp ? [{ value, index }] : [];
      });
      let sum = 0;
      const ends = parts.map(({ value }) => Math.abs(Math.round(pixelAt(plot, (sum += value))) - plot.base));
      const edge = Math.abs(Math.round(pixelWithin(plot, isUp ? Infinity : -Infinity)) - plot.base);
      const steps = visibleSteps(ends).map((end) => Math.min(end, edge));
      // Bars above zero run upwards or to the right.
      const sign = isUp === plot.isHorizontal ? 1 : -1;
      parts.forEach(({ index, value }, i) => {
        const [near, end] = [steps[i - 1] ?? 0, steps[i] ?? 0];
        if (near === end) return;
        // Between segments, a hairline shows the paper, unless the segment is too short for that.
        const gap = i > 0 && end - near > sizes.hairline * 3 ? sizes.hairline : 0;
        const span = [plot.base + sign * (near + gap), plot.base + sign * end] as const;
        const isRound = i === parts.length - 1 && !isOutside(plot, sum);
        bars[index]?.push({ ...barShape(plot, placeIn(category), span, isRound), value });
      });
    }
  }
  return bars;
}

/** Whole numbers near `ends`, each at least one larger than the previous, and the first at least one. */
function visibleSteps(ends: readonly number[]): readonly number[] {
  // Large parts lose the pixels that small parts have gained, so that the sum stays the same.
  const last = Math.max(ends.at(-1) ?? 0, ends.length);
  let step = 0;
  return ends.map((end, i) => {
    step = Math.max(end, step + 1);
    return Math.min(step, last - (ends.length - 1 - i));
  });
}

/** The width in pixels for the bars of a band. */
export function groupBreadth(step: number, count: number, { fontSize }: Sizes): number {
  return count === 1 ? Math.min(step * 0.72, fontSize * 9) : Math.min(step * 0.8, fontSize * 4 * count);
}

/** The places in pixels of the bars of groups, or of single bars or stacks, in their bands. */
function placesIn(bands: BandScale, count: number, sizes: Sizes) {
  const { step } = bands;
  const group = groupBreadth(step, count, sizes);
  // Round down, because several bars must not be wider than their group.
  const width = count === 1 ? Math.round(group) : Math.max(1, Math.floor(group / count));
  const space = count > 1 ? Math.min(2, Math.floor(width / 8)) : 0;
  return (band: number, index = 0): readonly [start: number, breadth: number] => {
    const middle = placeOf(bands, band);
    if (count > 1 || step >= denseStep)
      return [Math.round(middle - (width * count) / 2) + index * width, width - space];
    const start = Math.round(middle - step / 2);
    return [start, Math.round(middle + step / 2) - start];
  };
}

type Pair = readonly [number, number];

/**
 * The rectangle of a bar, whose far end may be round. In pixels, `start` and `breadth` are on the category axis, `from`
 * and `to` on the value axis.
 */
function barShape({ isHorizontal }: Plot, [start, breadth]: Pair, [from, to]: Pair, isRound: boolean): Bar {
  const [near, length] = [Math.min(from, to), Math.abs(to - from)];
  const [before, after] = isHorizontal ? (['left', 'right'] as const) : (['top', 'bottom'] as const);
  const rounded = !isRound ? 'none' : to > from ? after : before;
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
  const sign = value < 0 ? -1 : 1;
  return plot.isHorizontal
    ? { x: end, y: at, value, side: [sign, 0] }
    : { x: at, y: end, value, side: [0, -sign] };
}

/**
 * Marks for the sums of stacks at these places on the category axis: at the top, or at the lower end if all values are
 * negative.
 */
export function sumMarks(chart: Chart, plot: Plot, places = plot.bandScale): readonly Mark[] {
  return stacksOf(chart).flatMap(({ up, down, sum }, i) => {
    if (up === 0 && down === 0) return [];
    return [{ ...barMark(plot, placeOf(places, i), up > 0 ? up : down), value: sum }];
  });
}

/**
 * The value of a bar inside it, if it fits: in the middle of a part of a stack, or near the end of a bar that is not
 * stacked, but nearer to its foot if a reference line is in the way.
 */
export function textInside(
  { x, y, width, height, value }: ValueBar,
  { write }: ValueLabels,
  { isStacked, isHorizontal, lines, sizes: { small: size } }: Chart,
  plot: Plot,
): Text | undefined {
  const text = write(value);
  const [padX, padY] = isStacked ? [4, size * 0.5] : [size * 0.9, size * 0.9];
  const [wide, high] = [textWidth(text, size, 'bold') + padX, size * capHeight + padY];
  if (wide > width || high > height) return undefined;
  const down = (size * capHeight) / 2;
  const middle = { x: x + width / 2, y: y + height / 2 + down, text };
  if (isStacked) return middle;
  const [start, length, reach] = isHorizontal ? [x, width, wide / 2] : [y, height, high / 2];
  const inward = value < 0 === isHorizontal ? 1 : -1;
  const end = inward > 0 ? start : start + length;
  let distance = reach;
  for (const crossed of lines.map((line) => (pixelAt(plot, line.value) - end) * inward).sort(ascending))
    if (Math.abs(crossed - distance) < reach) distance = crossed + reach;
  const at = end + inward * distance;
  if (distance + reach > length) return undefined;
  return isHorizontal ? { ...middle, x: at } : { ...middle, y: at + down };
}
