import type { Chart } from '../../request/chart.ts';
import type { Color } from '../../color.ts';
import { picked, type Values } from '../../request/series.ts';
import type { Bars, Shape, Text, Texts } from '../../scene.ts';
import { inkOn } from '../../theme.ts';
import { barMark, groupBreadth, groupedBars, textInside, type ValueBar } from './groups.ts';
import { barExtent, type Extremes } from '../axes/extent.ts';
import { placeStackNames, type EndTexts } from '../lines/end-texts.ts';
import type { Mark } from '../marks.ts';
import { categoryStep, placePlot } from '../plot.ts';
import { withReferenceLines } from '../axes/reference-lines.ts';
import { byColor, seriesColor } from '../legend/series-look.ts';
import type { BandScale, Box } from '../sizes.ts';
import { stackedBars, sumMarks } from './stacks.ts';
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
    extent: barExtent(extremes, chart.valueAxis.isLog),
    bandScaleIn: (from, to) => bandsIn(chart.labels.length, from, to),
    valueLabels: labels,
  });
  const [from, to] = plot.isHorizontal ? [plot.top, plot.bottom] : [plot.left, plot.right];
  const countMax = Math.max(1, Math.floor((to - from) / barsPerBand));
  const isReduced = chart.labels.length > countMax;
  const bands = isReduced ? bandsIn(countMax, from, to) : plot.bandScale;
  // Gains and losses are reduced by themselves, so that neither hides the other.
  const halves = isReduced && !isStacked ? [1, -1].map((sign) => ofSign(sign, chart)) : [chart];
  const shown = isReduced ? halves.map((half) => withLargest(countMax, half)) : halves;
  const [gains = [], losses] = shown.map((each) =>
    (isStacked ? stackedBars : groupedBars)(each, plot, bands),
  );
  const bars = losses === undefined ? gains : gains.map((each, i) => [...each, ...(losses[i] ?? [])]);
  const shapes = bars.flatMap((each, i) => shapesOf(each, i, chart));
  // Beyond the ends of bars, values would be on reference lines, or on the other side of them.
  const hasInside = isStacked ? chart.values === 'always' : chart.lines.length > 0;
  const insideOf = (bar: ValueBar): Text | undefined =>
    hasInside && labels !== undefined ? textInside(bar, labels, chart, plot) : undefined;
  const marks = (): readonly Mark[] => {
    if (isStacked) return shown.flatMap((each) => sumMarks(each, plot, bands));
    const others = bars.flat().filter((bar) => bar !== undefined);
    return others.flatMap((bar) => (insideOf(bar) ? [] : [barMark(plot, bar.at, bar.value)]));
  };
  const style = { kind: 'texts', size: sizes.small, weight: 'bold', anchor: 'middle' } as const;
  const texts = [
    ...shapes.flatMap((shape): readonly Texts[] => {
      const inside = shape.bars.flatMap((bar) => insideOf(bar) ?? []);
      return inside.length === 0 ? [] : [{ ...style, fill: inkOn(shape.fill, theme), texts: inside }];
    }),
    ...placeValueLabels(labels, marks, plot, chart, shapes),
  ];
  const drawn = [...plot.grid, ...shapes, ...plot.axes, ...placeStackNames(chart, plot, ends), ...texts];
  return withReferenceLines(drawn, chart, plot);
}

/** The chart with its values above zero or those below zero only. */
function ofSign(sign: number, chart: Chart): Chart {
  const kept = (value: Values[number]): Values[number] => ((value ?? 0) * sign < 0 ? null : value);
  return { ...chart, series: chart.series.map((each) => ({ ...each, values: each.values.map(kept) })) };
}

/** The chart reduced to `countMax` categories: of neighbours, the one whose values are the farthest from zero. */
function withLargest(countMax: number, chart: Chart): Chart {
  const count = chart.labels.length;
  const sizes = new Float64Array(count);
  for (const { values } of chart.series) {
    for (let i = 0; i < count; i++) sizes[i] = (sizes[i] ?? 0) + Math.abs(values[i] ?? 0);
  }
  const places: number[] = [];
  for (let i = 0; i < count; i++) {
    const band = Math.floor((i * countMax) / count);
    const largest = places[band];
    if (largest === undefined || (sizes[i] ?? 0) > (sizes[largest] ?? 0)) places[band] = i;
  }
  return { ...chart, ...picked(chart, places) };
}

type ValueBars = Omit<Bars, 'bars'> & { readonly bars: readonly ValueBar[] };

/** The bars of a series in their colours. */
function shapesOf(bars: readonly (ValueBar | undefined)[], index: number, chart: Chart): ValueBars[] {
  const loss = lossColor(chart);
  const isLoss = (bar?: ValueBar): boolean => loss !== undefined && (bar?.value ?? 0) < 0;
  const gains = bars.filter((bar) => !isLoss(bar));
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
