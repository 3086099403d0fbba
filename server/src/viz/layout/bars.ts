import type { Chart } from '../chart.ts';
import type { Bar, Bars, Shape } from '../scene.ts';
import { barEnd, barShape } from './bar-shape.ts';
import type { BandScale } from './band-scale.ts';
import { byColor } from './by-color.ts';
import { columns } from './columns.ts';
import { barExtent, type Extremes } from './extent.ts';
import { isOutside, placePlot, type Plot } from './plot.ts';
import type { Box, Sizes } from './sizes.ts';
import { placeValueLabels, planValueLabels } from './value-labels.ts';
import type { Mark } from './marks.ts';
import { withReferenceLines } from './reference-lines.ts';

const barShare = 0.72;

/** Bars from zero with even gaps, labelled with their values if the labels fit. Null has an empty place. */
export function layoutBars(chart: Chart, bounds: Box, sizes: Sizes, extremes: Extremes): readonly Shape[] {
  const { points, colors, theme, series } = chart;
  const values = series[0]?.values ?? points.map(({ value }) => value);
  const present = values.filter((value) => value !== undefined);
  const step = categoryStep(chart, bounds, sizes);
  const labels = planValueLabels(chart, { values: () => present, step, isUsual: true }, bounds, sizes);
  const room = labels?.room ?? 0;
  const plot = placePlot(chart, bounds, sizes, {
    extent: barExtent(extremes, chart.valueAxis.isLog),
    bandScaleIn: (left, right) => bands(points.length, left, right),
    above: room,
    below: present.some((value) => value < 0) ? room : 0,
    unit: labels?.unit,
  });
  const isDense = plot.bandScale.step < 4;
  const bars = isDense
    ? columns(points, plot)
    : values.map((value, i) => (value === undefined ? undefined : barAt(plot, sizes, i, value)));
  const shapes = byColor(bars, colors.length > 0 ? colors : [theme.palette[0]]).map(([fill, each]): Bars => {
    const drawn = each.filter((bar) => bar !== undefined);
    const breadth = (chart.isHorizontal ? drawn[0]?.height : drawn[0]?.width) ?? 0;
    return { kind: 'bars', fill, radius: Math.min(sizes.fontSize * 0.25, breadth * 0.2), bars: drawn };
  });
  const marks = (): readonly Mark[] =>
    values.flatMap((value, i) => {
      const at = isDense ? undefined : middleOf(bars[i], plot);
      return value === undefined
        ? []
        : [barMark(plot, at ?? plot.bandScale.start + i * plot.bandScale.step, value)];
    });
  const drawn = [
    ...plot.grid,
    ...shapes,
    ...plot.axes,
    ...placeValueLabels(labels, marks, plot, chart, sizes),
  ];
  return withReferenceLines(drawn, chart, plot, sizes);
}

/** Bands are whole pixels wide if that wastes little, so that every bar is equally sharp. */
export function bands(count: number, left: number, right: number): BandScale {
  const exact = (right - left) / count;
  const step = Math.floor(exact) >= exact * 0.96 ? Math.floor(exact) : exact;
  return { start: (left + right - step * (count - 1)) / 2, step };
}

function barAt(plot: Plot, { fontSize }: Sizes, index: number, value: number): Bar {
  const { bandScale, base } = plot;
  const breadth = Math.round(Math.min(bandScale.step * barShare, fontSize * 9));
  const start = Math.round(bandScale.start + index * bandScale.step - breadth / 2);
  return barShape(plot, { start, breadth, from: base, to: barEnd(plot, value) }, !isOutside(plot, value));
}

function middleOf(bar: Bar | undefined, { isHorizontal }: Plot): number | undefined {
  if (bar === undefined) return undefined;
  return isHorizontal ? bar.y + bar.height / 2 : bar.x + bar.width / 2;
}

/** The end of the bar of a value at a place on the category axis. */
export function barMark(plot: Plot, at: number, value: number): Mark {
  const end = barEnd(plot, value);
  if (plot.isHorizontal) return { x: end, y: at, value, side: value < 0 ? 'left' : 'right' };
  return { x: at, y: end, value, side: value < 0 ? 'bottom' : 'top' };
}

/** About the pixels between the categories, before the plot is placed. */
export function categoryStep({ points, isHorizontal }: Chart, bounds: Box, { fontSize }: Sizes): number {
  const length = isHorizontal
    ? bounds.bottom - bounds.top - fontSize * 3
    : bounds.right - bounds.left - fontSize * 4;
  return length / points.length;
}
