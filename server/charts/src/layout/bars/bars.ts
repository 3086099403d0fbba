import type { Chart } from '../../request/chart.ts';
import type { Color } from '../../color.ts';
import type { Bars, Shape } from '../../scene.ts';
import { barMark, groupBreadth, groupedBars, slotsOf, type ValueBar } from './groups.ts';
import { barExtent, type Extremes } from '../axes/extent.ts';
import { placeStackNames, type EndTexts } from '../lines/end-texts.ts';
import type { Mark } from '../marks.ts';
import { categoryStep, placePlot, type Plot } from '../plot.ts';
import { withReferenceLines } from '../axes/reference-lines.ts';
import { byColor, seriesColor } from '../legend/series-look.ts';
import type { BandScale, Box } from '../sizes.ts';
import { stackedBars, sumMarks, textsInside } from './stacks.ts';
import { placeValueLabels, planValueLabels } from '../labels/value-labels.ts';

/** Bars from zero. Bars of several series are side by side or stacked. Null leaves an empty place. */
export function layoutBars(chart: Chart, bounds: Box, extremes: Extremes, ends: EndTexts): readonly Shape[] {
  const { series, isStacked } = chart;
  const count = chart.labels.length;
  const barsPerSlot = isStacked ? 1 : series.length;
  // The space of a label: a band, or the width of a bar in its group.
  const band = categoryStep(chart, bounds);
  const step = barsPerSlot === 1 ? band : groupBreadth(band, barsPerSlot, chart.sizes) / barsPerSlot;
  const labels = planValueLabels(chart, step, bounds);
  const plot = placePlot(chart, bounds, {
    extent: barExtent(extremes, chart.valueAxis.isLog),
    bandScaleIn: (left, right) => bands(count, left, right),
    valueLabels: labels,
  });
  // So few slots that every bar is at least one pixel wide.
  const slots = slotsOf(count, plot, barsPerSlot);
  const bars = (isStacked ? stackedBars : groupedBars)(chart, plot, slots);
  const loss = lossColor(chart);
  const shapes = bars.flatMap((each, i) => shapesOf(each, i, chart, loss));
  const isWhole = isStacked && slots.length === count;
  const marks = (): readonly Mark[] => {
    if (isStacked) return isWhole ? sumMarks(chart, plot) : [];
    return bars.flatMap((each, i) =>
      each.flatMap((bar) => (bar === undefined ? [] : markOf(bar, i, plot, chart, loss))),
    );
  };
  const drawn = [
    ...plot.grid,
    ...shapes,
    ...plot.axes,
    ...placeStackNames(chart, plot, ends),
    ...(isWhole && chart.values === 'always' ? bars : []).flatMap((each, i) =>
      textsInside(each, seriesColor(chart, i), labels, chart),
    ),
    ...placeValueLabels(labels, marks, plot, chart),
  ];
  return withReferenceLines(drawn, chart, plot);
}

/** The mark of a bar. Labels are inside bars only with reference lines, and if the request has at most one colour. */
function markOf(bar: ValueBar, index: number, plot: Plot, chart: Chart, loss?: Color): Mark {
  const { x, y, width, height, value, at } = bar;
  const mark = barMark(plot, at, value);
  if (chart.lines.length === 0 || chart.colors.length > 1) return mark;
  const fill = (value < 0 ? loss : undefined) ?? seriesColor(chart, index);
  return { ...mark, inside: { left: x, top: y, right: x + width, bottom: y + height, fill } };
}

/** The bars of a series in their colours. `loss` is the colour of bars below zero, if it differs. */
function shapesOf(
  bars: readonly (ValueBar | undefined)[],
  index: number,
  chart: Chart,
  loss?: Color,
): Bars[] {
  const isLoss = (bar?: ValueBar): boolean => loss !== undefined && (bar?.value ?? 0) < 0;
  const gains = bars.filter((bar) => !isLoss(bar));
  const losses = loss === undefined ? [] : [[loss, bars.filter(isLoss)] as const];
  return [...byColor(gains, chart, index), ...losses].flatMap(([fill, each]): Bars[] => {
    const drawn = each.filter((bar) => bar !== undefined);
    const [first] = drawn;
    if (first === undefined) return [];
    const breadth = chart.isHorizontal ? first.height : first.width;
    const radius = Math.min(chart.sizes.fontSize * 0.25, breadth * 0.2);
    return [{ kind: 'bars', fill, radius, bars: drawn }];
  });
}

/** The colour of bars below zero, if it differs. The default for one series with gains is the theme's second colour. */
function lossColor(chart: Chart): Color | undefined {
  const { negativeColor, colors, series } = chart;
  if (negativeColor !== undefined || colors.length > 0 || series.length > 1) return negativeColor;
  const hasGains = series.some(({ values }) => values.some((value) => (value ?? 0) > 0));
  return hasGains ? seriesColor(chart, 1) : undefined;
}

/** Bands are a whole number of pixels wide if this wastes little space, so that all bars are equally sharp. */
function bands(count: number, left: number, right: number): BandScale {
  const exact = (right - left) / count;
  const step = Math.floor(exact) >= exact * 0.96 ? Math.floor(exact) : exact;
  return { start: (left + right - step * (count - 1)) / 2, step };
}
