import { extent } from 'd3-array';
import type { Chart } from '../../request/chart.ts';
import { numbersIn } from '../../request/series.ts';
import type { Color } from '../../color.ts';
import type { Bars, Shape } from '../../scene.ts';
import { paleColor } from '../../theme.ts';
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
  const below = colorBelow(chart);
  const shapes = bars.flatMap((each, i) => shapesOf(each, i, chart, below));
  const isWhole = isStacked && slots.length === count;
  const marks = (): readonly Mark[] => {
    if (isStacked) return isWhole ? sumMarks(chart, plot) : [];
    return bars.flatMap((each, i) =>
      each.flatMap((bar) => (bar === undefined ? [] : markOf(bar, i, plot, chart, below))),
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
function markOf(bar: ValueBar, index: number, plot: Plot, chart: Chart, [limit, pale]: ColorBelow): Mark {
  const { x, y, width, height, value, at } = bar;
  const mark = barMark(plot, at, value);
  if (chart.lines.length === 0 || chart.colors.length > 1) return mark;
  const fill = value < limit ? pale : seriesColor(chart, index);
  return { ...mark, inside: { left: x, top: y, right: x + width, bottom: y + height, fill } };
}

/** The bars of a series in their colours. */
function shapesOf(
  bars: readonly (ValueBar | undefined)[],
  index: number,
  chart: Chart,
  [limit, pale]: ColorBelow,
): Bars[] {
  const isBelow = (bar?: ValueBar): boolean => (bar?.value ?? limit) < limit;
  const above = bars.filter((bar) => !isBelow(bar));
  const groups = [...byColor(above, chart, index), [pale, bars.filter(isBelow)] as const];
  return groups.flatMap(([fill, each]): Bars[] => {
    const drawn = each.filter((bar) => bar !== undefined);
    const [first] = drawn;
    if (first === undefined) return [];
    const breadth = chart.isHorizontal ? first.height : first.width;
    const radius = Math.min(chart.sizes.fontSize * 0.25, breadth * 0.2);
    return [{ kind: 'bars', fill, radius, bars: drawn }];
  });
}

/** A limit, and the colour of bars whose values are below it. */
type ColorBelow = readonly [limit: number, color: Color];

/**
 * Losses have the colour of the request. By default, losses next to gains have the theme's second colour, and bars that
 * do not reach the only reference line are pale, if the request has one series and no colours.
 */
function colorBelow(chart: Chart): ColorBelow {
  const { negativeColor, colors, series, lines, theme } = chart;
  if (negativeColor !== undefined) return [0, negativeColor];
  const usual = seriesColor(chart, 0);
  const [low = 0, high = 0] = extent(numbersIn(series[0]?.values ?? []));
  if (colors.length > 0 || series.length > 1) return [-Infinity, usual];
  if (low < 0) return [high > 0 ? 0 : -Infinity, seriesColor(chart, 1)];
  const [limit = Infinity] = lines.map(({ value }) => value);
  if (lines.length > 1 || high < limit) return [-Infinity, usual];
  return [limit, paleColor(usual, theme, 0.3)];
}

/** Bands are a whole number of pixels wide if this wastes little space, so that all bars are equally sharp. */
function bands(count: number, left: number, right: number): BandScale {
  const exact = (right - left) / count;
  const step = Math.floor(exact) >= exact * 0.96 ? Math.floor(exact) : exact;
  return { start: (left + right - step * (count - 1)) / 2, step };
}
