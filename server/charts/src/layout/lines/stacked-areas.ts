import { pairs, range } from 'd3-array';
import type { Chart } from '../../request/chart.ts';
import type { Coordinates, Shape } from '../../scene.ts';
import type { Series, Values } from '../../request/series.ts';
import type { Times } from '../../request/times.ts';
import { placePoints, type Plot } from '../plot.ts';
import { alongEdges, between, decimated } from './polylines.ts';
import { seriesColor } from '../legend/legend.ts';

/**
 * An area for each series, from the sum before it to the sum including it. Negative values are stacked down from zero.
 */
export function stackedAreas(chart: Chart, plot: Plot): readonly Shape[] {
  const stacks = [chart.labels.map(() => 0), chart.labels.map(() => 0)];
  return chart.series.flatMap(({ values }, index) =>
    stacks.flatMap((sums, side): readonly Shape[] => {
      const added = values.map((value) =>
        typeof value === 'number' && value > 0 === (side === 0) ? value : 0,
      );
      if (added.every((value) => value === 0)) return [];
      const near = edgeAt(sums, plot);
      added.forEach((value, i) => (sums[i] = (sums[i] ?? 0) + value));
      const far = edgeAt(sums, plot);
      const [stroke, width] = [chart.theme.paper, chart.sizes.hairline];
      const area: Shape = { kind: 'area', fill: seriesColor(chart, index), points: between(near, far) };
      // In a dense chart, edges would hide the areas.
      return plot.bandScale.step < 4 ? [area] : [area, { kind: 'path', stroke, width, points: far }];
    }),
  );
}

function edgeAt(sums: readonly number[], plot: Plot): Coordinates {
  return alongEdges(decimated(placePoints(sums, plot), plot.left, plot.right), plot);
}

/**
 * The series of stacked areas over time. At times of other series only, a series gets a value on the straight line
 * between its own points. Otherwise its area would fall to zero there.
 */
export function valuesBetweenTimes({ series, times }: Chart): readonly Series[] {
  if (times === undefined) return series;
  return series.map((each) => ({ ...each, values: filledValues(each, times) }));
}

function filledValues({ values }: Series, { at }: Times): Values {
  const filled = [...values];
  const own = range(values.length).filter((i) => values[i] !== undefined);
  for (const [first, last] of pairs(own)) {
    const [from, to, start = 0, end = 0] = [values[first], values[last], at[first], at[last]];
    if (typeof from !== 'number' || typeof to !== 'number') continue;
    for (let i = first + 1; i < last; i++)
      filled[i] = from + (to - from) * (((at[i] ?? 0) - start) / Math.max(1, end - start));
  }
  return filled;
}
