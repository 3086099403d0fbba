import type { Chart } from '../../request/chart.ts';
import type { Color } from '../../color.ts';
import { picked, type Values } from '../../request/series.ts';
import type { Bars, Shape, Text, Texts } from '../../scene.ts';
import { inkOn } from '../../theme.ts';
import {
  barMark,
  groupBreadth,
  groupedBars,
  stackedBars,
  sumMarks,
  textInside,
  type ValueBar,
} from './place-bars.ts';
import type { Extremes } from '../axes/value-axis.ts';
import { placeEndTexts, type EndTexts } from '../lines/end-texts.ts';
import { categoryStep, placePlot } from '../plot.ts';
import { withReferenceLines } from '../axes/reference-lines.ts';
import { byColor, seriesColor } from '../legend/legend.ts';
import type { BandScale, Box } from '../sizes.ts';
import type { Mark } from '../marks.ts';
import { placeValueLabels, planValueLabels } from '../labels/value-labels.ts';

/** Bars from zero. Bars of several series are side by side or stacked. Null leaves an empty place. */
export function layoutBars(chart: Chart, bounds: Box, extremes: Extremes, ends: EndTexts): readonly Shape[] {
  const { series, isStacked, theme, sizes } = chart;
  const barsPerBand = isStacked ? 1 : series.length;
  // The space of a label: a band, or the width of a bar in its group.
  const band = categoryStep(chart, bounds);
  const step = barsPerBand === 1 ? band : groupBreadth(band, barsPerBand, sizes) / barsPerBand;
  const labels = planValueLabels(chart, step, bounds);
  const plot = placePlot(chart, bounds, {
    extremes,
    bandScaleIn: (from, to) => bandsIn(chart.labels.length, from, to),
    valueLabels: labels,
  });
  const [from, to] = plot.isHorizontal ? [plot.top, plot.bottom] : [plot.left, plot.right];
  const countMax = Math.max(1, Math.floor((to - from) / barsPerBand));
  const isReduced = chart.labels.length > countMax;
  const bands = isReduced ? bandsIn(countMax, from, to) : plot.bandScale;
  const shown = isReduced ? reduced(chart, countMax) : [chart];
  const placed = shown.map((each) => (isStacked ? stackedBars : groupedBars)(each, plot, bands));
  const bars = series.map((_, i) => placed.flatMap((each) => each[i] ?? []));
  const shapes = bars.flatMap((each, i) => shapesOf(each, i, chart));
  // Parts of stacks have their values inside. Beside reference lines, other bars have too: beyond the end of its bar, a
  // value could be on a line, or on the other side of it.
  const hasInside = isStacked ? chart.values === 'always' : chart.lines.length > 0;
  const insideOf = (bar: ValueBar): Text | undefined =>
    hasInside && labels !== undefined ? textInside(bar, labels, chart, plot) : undefined;
  const middleOf = ({ x, y, width, height }: ValueBar): number =>
    plot.isHorizontal ? y + height / 2 : x + width / 2;
  const marks = (): readonly Mark[] => {
    if (isStacked) return shown.flatMap((each) => sumMarks(each, plot, bands));
    const present = bars.flat().filter((bar) => bar !== undefined);
    return present.flatMap((bar) => (insideOf(bar) ? [] : [barMark(plot, middleOf(bar), bar.value)]));
  };
  const style = { kind: 'texts', size: sizes.small, weight: 'bold', anchor: 'middle' } as const;
  const inside = (hasInside ? shapes : []).map(({ fill, bars }): Texts => {
    return { ...style, fill: inkOn(fill, theme), texts: bars.flatMap((bar) => insideOf(bar) ?? []) };
  });
  const outside = placeValueLabels(labels, marks, plot, chart, shapes);
  const names = placeEndTexts(chart, plot, ends);
  const drawn = [...plot.grid, ...shapes, ...plot.axes, ...names, ...inside, ...outside];
  return withReferenceLines(drawn, chart, plot);
}

/**
 * The chart reduced to `countMax` categories: of neighbours, the one whose values are the farthest from zero. Without
 * stacks, these are two charts, one of gains and one of losses, so that neither hides the other.
 */
function reduced(chart: Chart, countMax: number): readonly Chart[] {
  return (chart.isStacked ? [0] : [1, -1]).map((sign) => {
    const kept = (value: Values[number]): Values[number] => ((value ?? 0) * sign < 0 ? null : value);
    const sizes = new Float64Array(chart.labels.length);
    for (const { values } of chart.series)
      for (let i = 0; i < sizes.length; i++) sizes[i] = (sizes[i] ?? 0) + Math.abs(kept(values[i]) ?? 0);
    const largestIn: number[] = [];
    for (let i = 0; i < sizes.length; i++) {
      const band = Math.floor((i * countMax) / sizes.length);
      const best = largestIn[band] ?? i;
      largestIn[band] = (sizes[i] ?? 0) > (sizes[best] ?? 0) ? i : best;
    }
    const { labels, series } = picked(chart, largestIn);
    return { ...chart, labels, series: series.map((each) => ({ ...each, values: each.values.map(kept) })) };
  });
}

type ValueBars = Omit<Bars, 'bars'> & { readonly bars: readonly ValueBar[] };

/** The bars of a series in their colours. Missing bars count when colours are taken in turn. */
function shapesOf(bars: readonly (ValueBar | undefined)[], index: number, chart: Chart): ValueBars[] {
  const loss = lossColor(chart);
  const isLoss = (bar?: ValueBar): boolean => loss !== undefined && (bar?.value ?? 0) < 0;
  const gains = bars.map((bar) => (isLoss(bar) ? undefined : bar));
  const losses = loss === undefined ? [] : [[loss, bars.filter(isLoss)] as const];
  return [...byColor(gains, chart, index), ...losses].flatMap(([fill, each]): ValueBars[] => {
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
function bandsIn(count: number, from: number, to: number): BandScale {
  const exact = (to - from) / count;
  const step = Math.floor(exact) >= exact * 0.96 ? Math.floor(exact) : exact;
  return { start: (from + to - step * (count - 1)) / 2, step };
}
