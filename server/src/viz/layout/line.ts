import type { Chart } from '../chart.ts';
import { mix, over, type Color } from '../color.ts';
import type { Area, Coordinates, Dots, Shape } from '../scene.ts';
import { categoryStep } from './bars.ts';
import { byColor } from './by-color.ts';
import type { BandScale } from './band-scale.ts';
import { alongEdges, clipped, isWithin } from './clip.ts';
import { decimated } from './decimate.ts';
import { barExtent, lineExtent, type Extremes } from './extent.ts';
import { placePlot, placePoints, type Plot } from './plot.ts';
import type { Box, Sizes } from './sizes.ts';
import { placeValueLabels, planValueLabels } from './value-labels.ts';
import type { Mark } from './marks.ts';
import type { Theme } from '../theme.ts';
import type { Times } from '../times.ts';
import { withReferenceLines } from './reference-lines.ts';

/** A line through the points, with dots if they are far enough apart, above a light area if zero is in range. */
export function layoutLine(chart: Chart, bounds: Box, sizes: Sizes, extremes: Extremes): readonly Shape[] {
  const { points, colors, theme, isArea } = chart;
  const labels = planValueLabels(chart, pointWishes(chart, bounds, sizes), bounds, sizes);
  const plot = placePlot(chart, bounds, sizes, {
    extent: isArea ? barExtent(extremes) : lineExtent(extremes, chart.valueAxis.isLog),
    bandScaleIn: (left, right) => stops(chart, left, right, sizes),
    above: labels?.room ?? 0,
    below: 0,
    unit: labels?.unit,
  });
  const { step } = plot.bandScale;
  const all = placePoints(points, plot);
  const line = decimated(all, plot.left, plot.right);
  const stroke = colors[0] ?? theme.palette[0];
  const width = Math.max(1, (sizes.fontSize / 13) * (step < 3 ? 1.5 : 2.4));
  const isTinted = plot.scale.showsZero && step > 4;
  const drawn = [
    ...(isArea || isTinted
      ? [areaUnder(alongEdges(line, plot), plot, tint(stroke, theme, isArea ? 0.4 : 0.12))]
      : []),
    ...plot.grid,
    ...plot.axes,
    ...(points.length > 1 ? clipped(line, plot) : []).map(
      (part) => ({ kind: 'path', stroke, width, points: part }) as const,
    ),
    ...dots(all, chart, plot, sizes),
    ...placeValueLabels(
      labels,
      () =>
        pointMarks(
          all,
          points.map(({ value }) => value),
        ).filter(({ y }) => isWithin(y, plot)),
      plot,
      chart,
      sizes,
    ),
  ];
  return withReferenceLines(drawn, chart, plot, sizes);
}

/** All values of the points, and about the pixels between them. */
export function pointWishes(
  chart: Chart,
  bounds: Box,
  sizes: Sizes,
): { readonly values: () => readonly number[]; readonly step: number; readonly isUsual: false } {
  const { points, series } = chart;
  const all = (): readonly (number | undefined)[] =>
    series.length === 0 ? points.map(({ value }) => value) : series.flatMap((each) => each.values);
  return {
    values: () => all().filter((value) => value !== undefined),
    step: categoryStep(chart, bounds, sizes),
    isUsual: false,
  };
}

/** Labels of points stand above them, below those that are lower than both neighbours, and beside a steep line. */
export function pointMarks(line: Coordinates, values: readonly number[]): readonly Mark[] {
  return values.map((value, i) => {
    const [before = value, after = value] = [values[i - 1], values[i + 1]];
    const isLow = values.length > 1 && value <= before && value <= after && before !== after;
    const shift = before < value && value < after ? -1 : before > value && value > after ? 1 : 0;
    return { x: line[2 * i] ?? 0, y: line[2 * i + 1] ?? 0, value, side: isLow ? 'bottom' : 'top', shift };
  });
}

/** The first and the last point are inset, so that their dots and labels have room. */
export function stops(
  { points: { length: count }, times }: Chart,
  left: number,
  right: number,
  { fontSize, showsText }: Sizes,
  rightInset?: number,
): BandScale {
  if (count === 1) return { start: (left + right) / 2, step: right - left };
  const inset = Math.min((right - left) / count / 2, showsText ? fontSize * 3 : fontSize * 0.3);
  const start = left + inset;
  const width = right - (rightInset ?? inset) - start;
  return { start, step: width / (count - 1), places: times && placesOf(times, start, width) };
}

/** Times as shares of the width between the first and the last; in the middle if all are equal. */
function placesOf({ at }: Times, left: number, width: number): Readonly<Float64Array> {
  const [first, last] = [at[0] ?? 0, at.at(-1) ?? 0];
  if (first === last) return at.map(() => left + width / 2);
  return at.map((time) => left + ((time - first) / (last - first)) * width);
}

/** The colour of the line, faint. It is translucent if the background is. */
function tint(color: Color, { background, paper }: Theme, strength: number): Color {
  if (background.alpha === 1) return mix(paper, over(color, paper), strength);
  return translucent(color, strength);
}

export function translucent(color: Color, strength: number): Color {
  return { ...color, alpha: Math.round(color.alpha * strength * 1000) / 1000 };
}

/** The area between a line and the baseline. */
export function areaUnder(line: Coordinates, { base }: Plot, fill: Area['fill']): Area {
  const points = new Float64Array(line.length + 4);
  points.set([line[0] ?? 0, base]);
  points.set(line, 2);
  points.set([line.at(-2) ?? 0, base], line.length + 2);
  return { kind: 'area', fill, points };
}

function dots(
  points: Coordinates,
  { colors, theme }: Chart,
  plot: Plot,
  { fontSize, showsText }: Sizes,
): readonly Dots[] {
  if (points.length > 2 && (plot.bandScale.step < fontSize * 1.25 || !showsText)) return [];
  const centers = Array.from({ length: points.length / 2 }, (_, i) => [...points.subarray(2 * i, 2 * i + 2)]);
  const radius = showsText ? fontSize * 0.29 : Math.max(1, fontSize * 0.2);
  return byColor(centers, colors.length > 0 ? colors : [theme.palette[0]]).map(([fill, each]) => ({
    kind: 'dots',
    fill,
    radius,
    ring: fontSize * 0.11,
    ringColor: theme.paper,
    centers: each.filter(([, y = 0]) => isWithin(y, plot)).flat(),
  }));
}
