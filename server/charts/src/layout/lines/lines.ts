import type { Chart } from '../../request/chart.ts';
import { mix, over } from '../../color.ts';
import type { Area, Coordinates, Path, Shape } from '../../scene.ts';
import { placeEndTexts, type EndTexts } from './end-texts.ts';
import { barExtent, lineExtent, type Extremes } from '../axes/extent.ts';
import { categoryStep, placePlot, type Plot } from '../plot.ts';
import { dotsOf, marksOf, runsOf, stops } from './points.ts';
import { alongEdges, clipped, decimated } from './polylines.ts';
import { withReferenceLines } from '../axes/reference-lines.ts';
import { seriesColor } from '../legend/series-look.ts';
import { placeOf, type Box } from '../sizes.ts';
import { layoutStackedAreas } from './stacked-areas.ts';
import { placeValueLabels, planValueLabels } from '../labels/value-labels.ts';

/** The width of a line, in pixels where the text has 13 pixels. */
const lineWidth = 2.3;
/** The share of the line's colour in the colour of an area, which makes areas darker than the grid. */
const areaStrength = 0.2;

/** A line for each series, with dots if its points are far enough apart and a gap where a value is missing. */
export function layoutLines(chart: Chart, bounds: Box, extremes: Extremes, ends: EndTexts): readonly Shape[] {
  const { series, isArea, sizes } = chart;
  if (chart.isStacked) return layoutStackedAreas(chart, bounds, extremes, ends);
  const labels = planValueLabels(chart, categoryStep(chart, bounds), bounds);
  const isBare = labels === undefined && chart.labels.length >= dotsMax;
  const hasEndTexts = ends.length > 0;
  const plot = placePlot(chart, bounds, {
    extent: isArea ? barExtent(extremes) : lineExtent(extremes, chart.valueAxis.isLog),
    bandScaleIn: (left, right) => stops(chart, left, right, { isBare, hasEndTexts }),
    valueLabels: labels,
  });
  const { step } = plot.bandScale;
  const hasArea = isArea || (series.length === 1 && plot.scale.showsZero && step > 2);
  const runs = series.map((each) => runsOf(each, plot));
  const lines = runs.map((some) =>
    some.filter((run) => !isAlone(run)).map((run) => decimated(run, plot.left, plot.right)),
  );
  const areas = hasArea ? lines.flatMap((some, i) => areasUnder(some, plot, chart, i)) : [];
  const width = Math.max(1, (sizes.fontSize / 13) * (step < 3 ? 1.2 : lineWidth));
  const marks = lines.flatMap((some, i) => [
    ...some.flatMap((line) => pathsOf(line, plot, chart, i, width)),
    ...dotsOf(dotted(runs[i] ?? [], chart, plot, hasEndTexts), i, chart, plot),
  ]);
  const names = placeEndTexts(chart, plot, ends, lines.flat());
  const texts = placeValueLabels(labels, () => marksOf(chart, runs, plot, hasEndTexts), plot, chart, {
    lines: [...lines.flat(), ...names.flatMap((shape) => (shape.kind === 'path' ? [shape.points] : []))],
    names: names.filter((shape) => shape.kind === 'texts'),
  });
  const drawn = [...areas, ...plot.grid, ...plot.axes, ...names, ...marks, ...texts];
  return withReferenceLines(drawn, chart, plot);
}

/** From this number of points on, only lone points, points next to gaps, and a last point with a text have dots. */
const dotsMax = 8;

function dotted(
  runs: readonly Coordinates[],
  { labels, sizes }: Chart,
  { bandScale }: Plot,
  hasText: boolean,
): readonly Coordinates[] {
  if (labels.length < 3 || (sizes.showsText && labels.length < dotsMax)) return runs;
  const [from, to] = [placeOf(bandScale, 0), placeOf(bandScale, labels.length - 1)];
  const last = hasText ? runs.at(-1) : undefined;
  const isAtGap = (x = from): boolean => bandScale.step >= sizes.fontSize && x > from + 1 && x < to - 1;
  return runs.flatMap((run) => {
    const ends = [run.subarray(0, 2), run.subarray(-2)];
    return isAlone(run) ? [run] : ends.filter(([x], i) => isAtGap(x) || (i === 1 && run === last));
  });
}

function isAlone(run: Coordinates): boolean {
  return run.length === 2;
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
    const edge = alongEdges(line, plot);
    const points = new Float64Array(edge.length + 4);
    points.set([edge[0] ?? 0, plot.base]);
    points.set(edge, 2);
    points.set([edge.at(-2) ?? 0, plot.base], edge.length + 2);
    return { kind: 'area', fill, points };
  });
}

function pathsOf(line: Coordinates, plot: Plot, chart: Chart, index: number, width: number): readonly Path[] {
  const style = { kind: 'path', stroke: seriesColor(chart, index), width } as const;
  return clipped(line, plot).map((points) => ({ ...style, points }));
}
