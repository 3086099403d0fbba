import type { Chart } from '../chart.ts';
import type { Bars, Shape } from '../scene.ts';
import type { BandScale } from './band-scale.ts';
import { barMark } from './bar-shape.ts';
import { barExtent, type Extremes } from './extent.ts';
import { groupBreadth, groupedBars, slotsOf, type ValueBar } from './groups.ts';
import type { Mark } from './marks.ts';
import { placePlot } from './plot.ts';
import { withReferenceLines } from './reference-lines.ts';
import { byColor, seriesColor } from './series-look.ts';
import type { Box, Sizes } from './sizes.ts';
import { stackedBars, sumMarks, textsInside } from './stacks.ts';
import { placeValueLabels, planValueLabels, type ValueLabels } from './value-labels.ts';

/** Bars from zero. The bars of several series stand side by side or are stacked. Null leaves an empty place. */
export function layoutBars(chart: Chart, bounds: Box, sizes: Sizes, extremes: Extremes): readonly Shape[] {
  const { points, series, isStacked } = chart;
  const labels = planLabels(chart, bounds, sizes);
  const room = labels?.room ?? 0;
  const isBelowZero = series.some(({ values }) => values.some((value = 0) => value < 0));
  const plot = placePlot(chart, bounds, sizes, {
    extent: barExtent(extremes, chart.valueAxis.isLog),
    bandScaleIn: (left, right) => bands(points.length, left, right),
    above: room,
    below: !isStacked && isBelowZero ? room : 0,
    unit: labels?.unit,
  });
  // Every bar is at least one pixel wide.
  const slots = slotsOf(points.length, plot, isStacked ? 1 : series.length);
  const bars = (isStacked ? stackedBars : groupedBars)(chart, plot, sizes, slots);
  const shapes = bars.flatMap((each, i) => shapesOf(each, i, chart, sizes));
  const hasAll = slots.length === points.length;
  const marks = (): readonly Mark[] => {
    if (isStacked) return hasAll ? sumMarks(chart, plot) : [];
    return bars.flatMap((each) =>
      each.filter((bar) => bar !== undefined).map(({ at, value }) => barMark(plot, at, value)),
    );
  };
  const inside = isStacked && hasAll ? bars : [];
  const drawn = [
    ...plot.grid,
    ...shapes,
    ...plot.axes,
    ...inside.flatMap((each, i) => textsInside(each, seriesColor(chart, i), labels, chart, sizes)),
    ...placeValueLabels(labels, marks, plot, chart, sizes),
  ];
  return withReferenceLines(drawn, chart, plot, sizes);
}

/** Labels of all bars and of the sums of stacks. The bars of one series usually have them. */
function planLabels(chart: Chart, bounds: Box, sizes: Sizes): ValueLabels | undefined {
  const { points, series, isStacked } = chart;
  const values = (): readonly number[] => {
    const all = series.flatMap((each) => each.values.filter((value) => value !== undefined));
    return isStacked ? [...all, ...points.map(({ value }) => value)] : all;
  };
  const isOnly = series.length === 1;
  const band = categoryStep(chart, bounds, sizes);
  const step = isStacked || isOnly ? band : groupBreadth(band, series.length, sizes) / series.length;
  return planValueLabels(chart, { values, step, isUsual: isOnly && !isStacked }, bounds, sizes);
}

/** The bars of a series in their colours. */
function shapesOf(
  bars: readonly (ValueBar | undefined)[],
  index: number,
  chart: Chart,
  { fontSize }: Sizes,
): readonly Bars[] {
  return byColor(bars, chart, index).flatMap(([fill, each]): Bars[] => {
    const drawn = each.filter((bar) => bar !== undefined);
    const [first] = drawn;
    if (first === undefined) return [];
    const breadth = chart.isHorizontal ? first.height : first.width;
    const radius = chart.isStacked ? 0 : Math.min(fontSize * 0.25, breadth * 0.2);
    return [{ kind: 'bars', fill, radius, bars: drawn }];
  });
}

/** Bands are whole pixels wide if that wastes little, so that every bar is equally sharp. */
function bands(count: number, left: number, right: number): BandScale {
  const exact = (right - left) / count;
  const step = Math.floor(exact) >= exact * 0.96 ? Math.floor(exact) : exact;
  return { start: (left + right - step * (count - 1)) / 2, step };
}

/** About the pixels between the categories, before the plot is placed. */
export function categoryStep({ points, isHorizontal }: Chart, bounds: Box, { fontSize }: Sizes): number {
  const length = isHorizontal
    ? bounds.bottom - bounds.top - fontSize * 3
    : bounds.right - bounds.left - fontSize * 4;
  return length / points.length;
}
