import type { Chart } from '../chart.ts';
import type { Coordinates, Dots, Path, Shape } from '../scene.ts';
import type { Series } from '../series.ts';
import { placeOf } from './band-scale.ts';
import { alongEdges, clipped, isWithin, pointsWithin } from './clip.ts';
import { decimated } from './decimate.ts';
import { barExtent, lineExtent, type Extremes } from './extent.ts';
import { placeEndNames } from './end-names.ts';
import { areaUnder, pointMarks, pointWishes, stops, translucent } from './line.ts';
import { pixelAt, placePlot, type Plot } from './plot.ts';
import { seriesColor } from './series-color.ts';
import { seriesDash } from './series-dash.ts';
import type { Box, Sizes } from './sizes.ts';
import { layoutStackedAreas } from './stacked-areas.ts';
import { placeValueLabels, planValueLabels } from './value-labels.ts';
import type { Mark } from './marks.ts';
import { withReferenceLines } from './reference-lines.ts';

// The areas of several series overlap, and all of them stay visible.
const areaStrength = 0.3;

/**
 * A line for each series. Where a series has no value, its line has a gap. The space at the right has the names at the
 * ends of lines; 0 if they stand elsewhere.
 */
export function layoutLines(
  chart: Chart,
  bounds: Box,
  sizes: Sizes,
  extremes: Extremes,
  endSpace: number,
): readonly Shape[] {
  const { points, series, isArea } = chart;
  if (chart.isStacked) return layoutStackedAreas(chart, bounds, sizes, extremes);
  const labels = planValueLabels(chart, pointWishes(chart, bounds, sizes), bounds, sizes);
  const plot = placePlot(chart, { ...bounds, right: bounds.right - endSpace }, sizes, {
    extent: isArea ? barExtent(extremes) : lineExtent(extremes, chart.valueAxis.isLog),
    bandScaleIn: (left, right) =>
      stops(chart, left, right, sizes, endSpace === 0 ? undefined : sizes.fontSize / 2),
    above: labels?.room ?? 0,
    below: 0,
    unit: labels?.unit,
  });
  const { step } = plot.bandScale;
  const width = lineWidth(step, sizes);
  const areDotted = points.length <= 2 || (sizes.showsText && step >= sizes.fontSize * 1.25);
  const runs = series.map((each) => runsOf(each, plot));
  const lines = runs.map((some) =>
    some.filter((run) => !isAlone(run)).map((run) => decimated(run, plot.left, plot.right)),
  );
  const paths = lines.map((some, i) => some.flatMap((line) => pathsOf(line, plot, chart, i, width)));
  const dots = runs.map((some, i) => dotsOf(areDotted ? some : some.filter(isAlone), i, chart, plot, sizes));
  const areas = lines.flatMap((some, i) =>
    some.map((line) =>
      areaUnder(alongEdges(line, plot), plot, translucent(seriesColor(chart, i), areaStrength)),
    ),
  );
  const marks = paths.flatMap((path, i) => [...path, ...(dots[i] ?? [])]);
  const names = endSpace === 0 ? [] : placeEndNames(chart, plot, sizes);
  const texts = placeValueLabels(labels, () => marksOf(chart, runs, plot), plot, chart, sizes);
  const drawn = [...(isArea ? areas : []), ...plot.grid, ...plot.axes, ...names, ...marks, ...texts];
  return withReferenceLines(drawn, chart, plot, sizes);
}

function lineWidth(step: number, { fontSize }: Sizes): number {
  return Math.max(1, (fontSize / 13) * (step < 3 ? 1.5 : 2.2));
}

/** The points of all series, by the parts of their lines. */
function marksOf({ series }: Chart, runs: readonly (readonly Coordinates[])[], plot: Plot): readonly Mark[] {
  return series.flatMap(({ values }, index) => {
    const present = values.filter((value) => value !== undefined);
    let next = 0;
    return (runs[index] ?? []).flatMap((run) => {
      const start = next;
      next += run.length / 2;
      return pointMarks(run, present.slice(start, next)).filter(({ y }) => isWithin(y, plot));
    });
  });
}

/** The points of a series between its gaps. Series over times need not have points at the same times. */
function runsOf({ values, gaps }: Series, plot: Plot): readonly Coordinates[] {
  const hasTimes = plot.bandScale.places !== undefined;
  const runs: number[][] = [];
  let isAfterGap = true;
  values.forEach((value, i) => {
    if (value === undefined) {
      if (!hasTimes || gaps?.has(i) === true) isAfterGap = true;
      return;
    }
    if (isAfterGap) runs.push([]);
    isAfterGap = false;
    runs.at(-1)?.push(placeOf(plot.bandScale, i), pixelAt(plot, value));
  });
  return runs.map((run) => Float64Array.from(run));
}

function isAlone(run: Coordinates): boolean {
  return run.length === 2;
}

function pathsOf(line: Coordinates, plot: Plot, chart: Chart, index: number, width: number): readonly Path[] {
  const style = { kind: 'path', stroke: seriesColor(chart, index), width } as const;
  const dash = seriesDash(index, width);
  return clipped(line, plot).map((points) => ({ ...style, dash, points }));
}

function dotsOf(
  runs: readonly Coordinates[],
  index: number,
  chart: Chart,
  plot: Plot,
  { fontSize, showsText }: Sizes,
): readonly Dots[] {
  if (runs.length === 0) return [];
  const style = {
    fill: seriesColor(chart, index),
    radius: showsText ? fontSize * 0.26 : Math.max(1, fontSize * 0.2),
    ring: fontSize * 0.1,
    ringColor: chart.theme.paper,
  };
  return [{ kind: 'dots', ...style, centers: runs.flatMap((run) => pointsWithin(run, plot)) }];
}
