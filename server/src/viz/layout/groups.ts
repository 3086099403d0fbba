import type { Chart } from '../chart.ts';
import type { Bar, Bars, Shape } from '../scene.ts';
import { stackOf } from '../series.ts';
import { barEnd, barShape, categoryRange } from './bar-shape.ts';
import { bands, barMark, categoryStep } from './bars.ts';
import { textsInside } from './stack-labels.ts';
import { barExtent, type Extremes } from './extent.ts';
import { isOutside, pixelAt, pixelWithin, placePlot, type Plot } from './plot.ts';
import { seriesColor } from './series-color.ts';
import type { Box, Sizes } from './sizes.ts';
import { placeValueLabels, planValueLabels, type ValueLabels } from './value-labels.ts';
import type { Mark } from './marks.ts';
import { withReferenceLines } from './reference-lines.ts';

const groupShare = 0.8;

/** A slot on the category axis: one category, or several if there are more than the plot has room for. */
interface Slot {
  readonly middle: number;
  readonly step: number;
  readonly first: number;
  readonly next: number;
}

interface ValueBar extends Bar {
  readonly value: number;
  /** The middle on the category axis. */
  readonly at: number;
}

/** The bars of several series, side by side or stacked. */
export function layoutGroups(chart: Chart, bounds: Box, sizes: Sizes, extremes: Extremes): readonly Shape[] {
  const { points, series, isStacked } = chart;
  const labels = planLabels(chart, bounds, sizes);
  const room = labels?.room ?? 0;
  const plot = placePlot(chart, bounds, sizes, {
    extent: barExtent(extremes, chart.valueAxis.isLog),
    bandScaleIn: (left, right) => bands(points.length, left, right),
    above: room,
    below: !isStacked && extremes.lowest.value < 0 ? room : 0,
    unit: labels?.unit,
  });
  // Every bar is at least one pixel wide.
  const slots = slotsOf(points.length, plot, isStacked ? 1 : series.length);
  const bars = isStacked ? stackedBars(chart, plot, sizes, slots) : groupedBars(chart, plot, sizes, slots);
  const radius = isStacked ? 0 : Math.min(sizes.fontSize * 0.2, breadthOf(bars.flat()[0], chart) * 0.2);
  const shapes = bars.flatMap((each, i): Bars[] =>
    each.length === 0 ? [] : [{ kind: 'bars', fill: seriesColor(chart, i), radius, bars: each }],
  );
  const isWhole = slots.length === points.length;
  const marks = (): readonly Mark[] => {
    if (!isWhole) return [];
    if (isStacked) return sumMarks(chart, plot);
    return bars.flat().map(({ at, value }) => barMark(plot, at, value));
  };
  const drawn = [
    ...plot.grid,
    ...shapes,
    ...plot.axes,
    ...(isStacked && isWhole
      ? bars.flatMap((each, i) => textsInside(each, seriesColor(chart, i), labels, chart, sizes))
      : []),
    ...placeValueLabels(labels, marks, plot, chart, sizes),
  ];
  return withReferenceLines(drawn, chart, plot, sizes);
}

function planLabels(chart: Chart, bounds: Box, sizes: Sizes): ValueLabels | undefined {
  const { points, series, isStacked } = chart;
  const values = (): readonly number[] => {
    const all = series.flatMap((each) => each.values.filter((value) => value !== undefined));
    return isStacked ? [...all, ...points.map(({ value }) => value)] : all;
  };
  const step = categoryStep(chart, bounds, sizes);
  const group = Math.min(step * groupShare, sizes.fontSize * 4 * series.length);
  const pitch = isStacked ? step : group / series.length;
  return planValueLabels(chart, { values, step: pitch, isUsual: false }, bounds, sizes);
}

/** The sums of stacks, except where a negative value makes the sum another number than the height. */
function sumMarks({ points, series }: Chart, plot: Plot): readonly Mark[] {
  const { start, step } = plot.bandScale;
  return points.flatMap(({ value }, i) => {
    const { up, down } = stackOf(series, i);
    return down < 0 || up === 0 ? [] : [barMark(plot, start + i * step, value)];
  });
}

function slotsOf(count: number, plot: Plot, barsPerSlot: number): readonly Slot[] {
  const [left, right] = categoryRange(plot);
  const slotsMax = Math.max(1, Math.floor((right - left) / barsPerSlot));
  if (count <= slotsMax) {
    const { start, step } = plot.bandScale;
    return Array.from({ length: count }, (_, i) => ({
      middle: start + i * step,
      step,
      first: i,
      next: i + 1,
    }));
  }
  const step = (right - left) / slotsMax;
  return Array.from({ length: slotsMax }, (_, i) => ({
    middle: left + (i + 0.5) * step,
    step,
    first: Math.floor((i * count) / slotsMax),
    next: Math.floor(((i + 1) * count) / slotsMax),
  }));
}

/** In a slot of several categories, the value of each series that is farthest from zero. */
function groupedBars(
  { series }: Chart,
  plot: Plot,
  { fontSize }: Sizes,
  slots: readonly Slot[],
): ValueBar[][] {
  return series.map(({ values }, index) =>
    slots.flatMap(({ middle, step, first, next }): ValueBar[] => {
      const value = farthest(values, first, next);
      if (value === undefined) return [];
      const group = Math.min(step * groupShare, fontSize * 4 * series.length);
      const width = Math.max(1, Math.floor(group / series.length));
      const space = width >= 8 ? 1 : 0;
      const start = Math.round(middle - (width * series.length) / 2) + index * width;
      const extents = { start, breadth: width - space, from: plot.base, to: barEnd(plot, value) };
      return [
        { ...barShape(plot, extents, !isOutside(plot, value)), value, at: start + extents.breadth / 2 },
      ];
    }),
  );
}

function breadthOf(bar: Bar | undefined, { isHorizontal }: Chart): number {
  return (isHorizontal ? bar?.height : bar?.width) ?? 0;
}

function farthest(values: readonly (number | undefined)[], first: number, next: number): number | undefined {
  let found: number | undefined;
  for (let i = first; i < next; i++) {
    const value = values[i];
    if (value !== undefined && (found === undefined || Math.abs(value) > Math.abs(found))) found = value;
  }
  return found;
}

/**
 * In a slot of several categories, the stack of the one that is farthest from zero. A value that is not zero is at least
 * one pixel high.
 */
function stackedBars(
  { series }: Chart,
  plot: Plot,
  { fontSize }: Sizes,
  slots: readonly Slot[],
): ValueBar[][] {
  const bars = series.map((): ValueBar[] => []);
  for (const { middle, step, first, next } of slots) {
    const category = largestStack(series, first, next);
    const breadth = Math.max(1, Math.round(Math.min(step * groupShare, fontSize * 9)));
    const start = Math.round(middle - breadth / 2);
    for (const isUp of [true, false]) {
      const parts = series.flatMap(({ values }, index) => {
        const value = values[category] ?? 0;
        return value !== 0 && value > 0 === isUp ? [{ value, index }] : [];
      });
      let sum = 0;
      const ends = parts.map(({ value }) => Math.abs(Math.round(pixelAt(plot, (sum += value))) - plot.base));
      const edge = Math.abs(Math.round(pixelWithin(plot, isUp ? Infinity : -Infinity)) - plot.base);
      const steps = visibleSteps(ends).map((end) => Math.min(end, edge));
      // Values above zero run upwards or to the right.
      const sign = isUp === plot.isHorizontal ? 1 : -1;
      parts.forEach(({ index, value }, i) => {
        const from = plot.base + sign * (steps[i - 1] ?? 0);
        const to = plot.base + sign * (steps[i] ?? 0);
        if (from === to) return;
        bars[index]?.push({ ...barShape(plot, { start, breadth, from, to }, false), value, at: middle });
      });
    }
  }
  return bars;
}

/** Ascending whole numbers near to those given, from zero, each at least one above the one before. */
function visibleSteps(ends: readonly number[]): readonly number[] {
  const steps: number[] = [];
  for (const end of ends) steps.push(Math.max(end, (steps.at(-1) ?? 0) + 1));
  // What small parts add is taken from the large ones, so that the sum stays where it is.
  let last = Math.max(ends.at(-1) ?? 0, ends.length);
  for (let i = steps.length - 1; i >= 0; i--) {
    steps[i] = Math.min(steps[i] ?? 0, last);
    last = (steps[i] ?? 0) - 1;
  }
  return steps;
}

function largestStack(series: Chart['series'], first: number, next: number): number {
  let [found, most] = [first, -1];
  for (let i = first; i < next; i++) {
    const { up, down } = stackOf(series, i);
    if (Math.max(up, -down) <= most) continue;
    found = i;
    most = Math.max(up, -down);
  }
  return found;
}
