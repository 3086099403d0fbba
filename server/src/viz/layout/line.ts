import type { Chart } from '../chart.ts';
import { mix, onWhite, white } from '../color.ts';
import { palette } from '../palette.ts';
import type { Area, Coordinates, Dots, Shape } from '../scene.ts';
import { byColor } from './by-color.ts';
import type { Steps } from './categories.ts';
import { decimated } from './decimate.ts';
import { lineExtent, type Extremes } from './extent.ts';
import { placePlot, placePoints, type Plot } from './plot.ts';
import type { Box, Sizes } from './sizes.ts';

/** A line from point to point, with dots while they can be told apart, above a light area where zero is shown. */
export function layoutLine(chart: Chart, room: Box, sizes: Sizes, extremes: Extremes): readonly Shape[] {
  const { points, colors } = chart;
  const plot = placePlot(chart, room, sizes, {
    extent: lineExtent(extremes),
    stepsIn: (left, right) => stops(points.length, left, right, sizes),
    above: false,
    below: false,
  });
  const { step } = plot.steps;
  const all = placePoints(points, plot);
  const line = decimated(all, plot.left, plot.right);
  const stroke = colors[0] ?? palette[0];
  const width = Math.max(1, (sizes.text / 13) * (step < 3 ? 1.5 : 2.4));
  // Without dots the line comes last, as paint/png draws it by itself then.
  return [
    ...(plot.scale.showsZero && step > 4 ? [areaUnder(line, plot, mix(onWhite(stroke), white, 0.88))] : []),
    ...plot.grid,
    ...plot.axes,
    ...(points.length > 1 ? [{ kind: 'path', stroke, width, points: line } as const] : []),
    ...dots(all, chart, plot, sizes),
  ];
}

/** The first and the last point stand a little inside the plot, so that their dots and labels have room. */
function stops(count: number, left: number, right: number, { text, showsText }: Sizes): Steps {
  if (count === 1) return { first: (left + right) / 2, step: right - left };
  const inset = Math.min((right - left) / count / 2, showsText ? text * 3 : text * 0.3);
  return { first: left + inset, step: (right - left - 2 * inset) / (count - 1) };
}

function areaUnder(line: Coordinates, { base }: Plot, fill: Area['fill']): Area {
  const points = new Float64Array(line.length + 4);
  points.set([line[0] ?? 0, base]);
  points.set(line, 2);
  points.set([line.at(-2) ?? 0, base], line.length + 2);
  return { kind: 'area', fill, points };
}

function dots(
  points: Coordinates,
  { colors }: Chart,
  { steps }: Plot,
  { text, showsText }: Sizes,
): readonly Dots[] {
  if (points.length > 2 && (steps.step < text * 1.25 || !showsText)) return [];
  const centers = Array.from({ length: points.length / 2 }, (_, i) => [...points.subarray(2 * i, 2 * i + 2)]);
  const radius = showsText ? text * 0.29 : Math.max(1, text * 0.2);
  return byColor(centers, colors.length > 0 ? colors : [palette[0]]).map(([fill, each]) => ({
    kind: 'dots',
    fill,
    radius,
    ring: text * 0.11,
    centers: each.flat(),
  }));
}
