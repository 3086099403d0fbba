import { chartKinds } from '../../chart-kinds.ts';
import type { Chart } from '../chart.ts';
import type { Scene, Shape } from '../scene.ts';
import { layoutBars } from './bars.ts';
import { valuesBetweenTimes } from './between-times.ts';
import { description, nameOf } from './description.ts';
import { endNamesWidth } from './end-names.ts';
import { extremesOf, withLines, type Extremes } from './extent.ts';
import { placeHeadings } from './headings.ts';
import { layoutLines } from './lines.ts';
import { noData } from './no-data.ts';
import { layoutPie } from './pie.ts';
import { sizesOf, type Box, type Sizes } from './sizes.ts';
import { placeSeriesLegend } from './series-legend.ts';

type Layout = (
  chart: Chart,
  bounds: Box,
  sizes: Sizes,
  extremes: Extremes,
  endSpace: number,
) => readonly Shape[];

const layouts: Readonly<Record<Chart['kind'], Layout>> = {
  bar: layoutBars,
  line: layoutLines,
  pie: layoutPie,
};

/** Places every shape of the picture. */
export function layout(chart: Chart): Scene {
  const sizes = sizesOf(chart.width, chart.height);
  const headings = placeHeadings(chart, sizes);
  const endSpace = endNamesWidth(chart, headings.bounds, sizes) ?? 0;
  const legend =
    endSpace === 0
      ? placeSeriesLegend(chart, headings.bounds, sizes)
      : { shapes: [], bounds: headings.bounds };
  const isStackedArea = chart.isStacked && chart.isArea;
  const drawn = isStackedArea ? { ...chart, series: valuesBetweenTimes(chart) } : chart;
  const extremes = extremesOf(drawn);
  const data = hasData(chart)
    ? layouts[chart.kind](drawn, legend.bounds, sizes, withLines(extremes, chart), endSpace)
    : noData(chart, legend.bounds, sizes);
  return {
    width: chart.width,
    height: chart.height,
    scale: chart.scale,
    background: chart.theme.background,
    title: chart.title === '' ? nameOf(chart) : chart.title,
    description: description(chart, extremes),
    locale: chart.locale,
    shapes: [...headings.shapes, ...legend.shapes, ...data],
  };
}

/** Values that are all zero have no shares to show. */
function hasData({ kind, points }: Chart): boolean {
  return points.length > 0 && (!chartKinds[kind].showsShares || points.some(({ value }) => value > 0));
}
