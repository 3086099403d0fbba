import { pairs } from 'd3-array';
import type { Chart } from '../../request/chart.ts';
import { mix, over } from '../../color.ts';
import type { Area, Coordinates, Path, Shape } from '../../scene.ts';
import { dotsAlong, isLarge, placeEndTexts, type EndTexts } from './end-texts.ts';
import { barExtent, lineExtent, type Extremes } from '../axes/extent.ts';
import { categoryStep, placePlot, type Plot } from '../plot.ts';
import { dotsOf, marksOf, runsOf, stops } from './points.ts';
import { alongEdges, between, clipped, decimated } from './polylines.ts';
import { withReferenceLines } from '../axes/reference-lines.ts';
import { isValueAxisNeeded } from '../axes/value-axis.ts';
import { showsZero } from '../axes/value-scale.ts';
import { seriesColor } from '../legend/series-look.ts';
import type { Box, Sizes } from '../sizes.ts';
import { layoutStackedAreas } from './stacked-areas.ts';
import { placeValueLabels, planValueLabels } from '../labels/value-labels.ts';

/** The share of the line's colour in the colour of an area, which makes areas darker than the grid. */
const areaStrength = 0.2;

/** A line for each series, with dots if its points are far enough apart and a gap where a value is missing. */
export function layoutLines(chart: Chart, bounds: Box, extremes: Extremes, ends: EndTexts): readonly Shape[] {
  const { series, isArea, sizes } = chart;
  if (chart.isStacked) return layoutStackedAreas(chart, bounds, extremes, ends);
  const labels = planValueLabels(chart, categoryStep(chart, bounds), bounds);
  const isBare = labels === undefined && chart.labels.length >= dotsMax;
  const hasEndTexts = ends.length > 0;
  const isNarrow = sizes.width < 36 * sizes.fontSize;
  const extent = isArea ? barExtent(extremes) : lineExtent(extremes, chart.valueAxis.isLog);
  const plot = placePlot(chart, bounds, {
    extent,
    bandScaleIn: (left, right) => stops(chart, left, right, { isBare, hasEndTexts }),
    valueLabels: labels,
    // Without numbers, readers take the foot of the axis for zero.
    isCard:
      isNarrow &&
      extent[0] === 0 &&
      labels === undefined &&
      chart.lines.length === 0 &&
      !isValueAxisNeeded(chart) &&
      ends.some((text) => isLarge(text, chart)),
  });
  const hasArea = isArea || (series.length === 1 && showsZero(plot.scale) && plot.bandScale.step > 2);
  const runs = series.map((each) => runsOf(each, plot));
  const lines = runs.map((some) =>
    some.filter((run) => run.length > 2).map((run) => decimated(run, plot.left, plot.right)),
  );
  const areas = hasArea ? lines.flatMap((some, i) => areasUnder(some, plot, chart, i)) : [];
  const gaps = runs.map((some) => bridges(some, sizes));
  // Lines are thinner the closer their points are.
  const width = Math.max(
    1,
    (sizes.fontSize / 13) * Math.min(2.3, 1.1 + (plot.bandScale.step / sizes.fontSize) * 1.2),
  );
  const marks = lines.flatMap((some, i) => {
    const line = { kind: 'path', stroke: seriesColor(chart, i), width } as const;
    const dots = { ...line, ...dotsAlong(line.width * 0.6) };
    return [
      ...(gaps[i] ?? []).flatMap((gap) => clipped(gap, plot)).map((points): Path => ({ ...dots, points })),
      ...some.flatMap((run) => clipped(run, plot)).map((points): Path => ({ ...line, points })),
      ...dotsOf(dotted(runs[i] ?? [], chart, hasEndTexts), i, chart, plot),
    ];
  });
  const paths = [...lines, ...gaps].flat();
  const names = placeEndTexts(chart, plot, ends, paths);
  const texts = placeValueLabels(
    labels,
    () => marksOf(chart, plot, hasEndTexts),
    plot,
    chart,
    [...marks, ...names],
    true,
  );
  const drawn = [...areas, ...plot.grid, ...plot.axes, ...names, ...marks, ...texts];
  return withReferenceLines(drawn, chart, plot);
}

/** From this number of points on, only lone points and a last point with a text have dots. */
const dotsMax = 8;

function dotted(runs: readonly Coordinates[], { labels, sizes }: Chart, hasText: boolean): Coordinates[] {
  if (labels.length < 3 || (sizes.showsText && labels.length < dotsMax)) return [...runs];
  return runs
    .filter((run) => run.length === 2 || (hasText && run === runs.at(-1)))
    .map((run) => run.subarray(-2));
}

/** Lines from each part of a line to the next one, across gaps that are wide enough for dots. */
function bridges(runs: readonly Coordinates[], { fontSize }: Sizes): readonly Coordinates[] {
  const between = pairs(runs, (a, b) => Float64Array.of(...a.subarray(-2), ...b.subarray(0, 2)));
  return between.filter(([from = 0, , to = 0]) => to - from >= fontSize);
}

/** The areas between the line of a series and the baseline. */
function areasUnder(lines: readonly Coordinates[], plot: Plot, chart: Chart, index: number): readonly Area[] {
  // A faint shade of the line's colour; opaque if nothing behind the area must show through.
  const { background, paper } = chart.theme;
  const color = seriesColor(chart, index);
  const isOpaque = chart.series.length === 1 && background.alpha === 1;
  const fill = isOpaque
    ? mix(paper, over(color, paper), areaStrength)
    : { ...color, alpha: Math.round(color.alpha * areaStrength * 1000) / 1000 };
  return lines.map((line) => {
    const foot = Float64Array.of(line[0] ?? 0, plot.base, line.at(-2) ?? 0, plot.base);
    return { kind: 'area', fill, points: between(alongEdges(line, plot), foot) };
  });
}
