import type { Chart } from '../chart.ts';
import type { Scene, Shape } from '../scene.ts';
import { layoutBars } from './bars.ts';
import { description, kinds } from './description.ts';
import { extremesOf, type Extremes } from './extent.ts';
import { layoutLine } from './line.ts';
import { noData } from './no-data.ts';
import { layoutPie } from './pie.ts';
import { sizesOf, type Box, type Sizes } from './sizes.ts';
import { placeTitle } from './title.ts';

type Layout = (chart: Chart, bounds: Box, sizes: Sizes, extremes: Extremes) => readonly Shape[];

const layouts: Readonly<Record<Chart['kind'], Layout>> = {
  bar: layoutBars,
  line: layoutLine,
  pie: layoutPie,
};

/** Places every shape of the picture. */
export function layout(chart: Chart): Scene {
  const sizes = sizesOf(chart.width, chart.height);
  const { shapes, bounds } = placeTitle(chart.title, sizes);
  const extremes = extremesOf(chart.points);
  const data = hasData(chart) ? layouts[chart.kind](chart, bounds, sizes, extremes) : noData(bounds, sizes);
  return {
    width: chart.width,
    height: chart.height,
    title: chart.title === '' ? kinds[chart.kind] : chart.title,
    description: description(chart, extremes),
    shapes: [...shapes, ...data],
  };
}

/** A pie whose values are all zero has no shares to show. */
function hasData({ kind, points }: Chart): boolean {
  return points.length > 0 && (kind !== 'pie' || points.some(({ value }) => value > 0));
}
