import type { Chart } from '../../request/chart.ts';
import { mix, over } from '../../color.ts';
import type { Area, Coordinates, Dots, Path, Shape } from '../../scene.ts';
import { numbersIn, type Series } from '../../request/series.ts';
import { categoryStep } from '../bars/bars.ts';
import { placeEndNames } from './end-names.ts';
import { barExtent, lineExtent, type Extremes } from '../axes/extent.ts';
import type { Mark } from '../marks.ts';
import { placePlot, placePoints, type Plot } from '../plot.ts';
import { pointMarks, stops, alongEdges, clipped, decimated, isWithin } from './polylines.ts';
import { withReferenceLines } from '../axes/reference-lines.ts';
import { byColor, seriesColor, seriesDash } from '../legend/series-look.ts';
import type { Box, Sizes } from '../sizes.ts';
import { textColor } from '../../theme.ts';
import { layoutStackedAreas } from './stacked-areas.ts';
import { placeValueLabels, planValueLabels } from '../labels/value-labels.ts';

/** How lines, dots and areas look. */
const oneLine = {
  /** The width of a line, in pixels where the text has 13 pixels. */
  lineWidth: 2.4,
  /** The radius of a dot and the width of the ring around it, in units of the text size. */
  dotRadius: 0.29,
  dotRing: 0.11,
  /** The share of the line's colour in the colour of an area. */
  areaStrength: 0.28,
  /** The same for an area that the request has not asked for; 0 for no area. */
  tintStrength: 0.12,
};
type Look = typeof oneLine;
// Areas of several series overlap and must all stay visible.
const severalLines: Look = {
  lineWidth: 2.2,
  dotRadius: 0.26,
  dotRing: 0.1,
  areaStrength: 0.3,
  tintStrength: 0,
};

/**
 * A line for each series, with dots if its points are far enough apart and a gap where a value is missing. `endSpace`
 * is the space at the right for the names of lines; 0 if the names are elsewhere.
 */
export function layoutLines(
  chart: Chart,
  bounds: Box,
  extremes: Extremes,
  endSpace: number,
): readonly Shape[] {
  const { series, isArea, sizes } = chart;
  if (chart.isStacked) return layoutStackedAreas(chart, bounds, extremes);
  const labels = planValueLabels(chart, categoryStep(chart, bounds), bounds);
  const lastValue = chart.values === 'last' ? (labels?.width ?? 0) + sizes.fontSize : undefined;
  const rightInset = endSpace === 0 ? lastValue : sizes.fontSize / 2;
  const plotBounds = { ...bounds, right: bounds.right - endSpace };
  const plot = placePlot(chart, plotBounds, {
    extent: isArea ? barExtent(extremes) : lineExtent(extremes, chart.valueAxis.isLog),
    bandScaleIn: (left, right) => stops(chart, left, right, rightInset),
    valueLabels: labels,
  });
  const { step } = plot.bandScale;
  const look = series.length === 1 ? oneLine : severalLines;
  const strength = isArea ? look.areaStrength : plot.scale.showsZero && step > 4 ? look.tintStrength : 0;
  const areDotted = chart.labels.length < 3 || (sizes.showsText && chart.labels.length < dotsMax);
  const runs = series.map((each) => runsOf(each, plot));
  const lines = runs.map((some) =>
    some.filter((run) => !isAlone(run)).map((run) => decimated(run, plot.left, plot.right)),
  );
  const areas = strength === 0 ? [] : lines.flatMap((some, i) => areasUnder(some, plot, chart, i, strength));
  const width = Math.max(1, (sizes.fontSize / 13) * (step < 3 ? 1.5 : look.lineWidth));
  const marks = lines.flatMap((some, i) => [
    ...some.flatMap((line) => pathsOf(line, plot, chart, i, width)),
    ...dotsOf(dotted(runs[i] ?? [], areDotted, sizes), i, look, chart, plot),
  ]);
  const names = endSpace === 0 ? [] : placeEndNames(chart, plot, lines.flat());
  const texts = placeValueLabels(labels, () => marksOf(chart, runs, plot), plot, chart, {
    lines: lines.flat(),
    names: names.filter((shape) => shape.kind === 'texts'),
  });
  const drawn = [...areas, ...plot.grid, ...plot.axes, ...names, ...marks, ...texts];
  return withReferenceLines(drawn, chart, plot);
}

/** From this number of points on, only the last has a dot. */
const dotsMax = 8;

/** The parts of a line, or the points of them, that have dots: all, or single points and the last point. */
function dotted(runs: readonly Coordinates[], areAll: boolean, { showsText }: Sizes): readonly Coordinates[] {
  if (areAll) return runs;
  return runs.flatMap((run, i) =>
    isAlone(run) ? [run] : showsText && i === runs.length - 1 ? [run.subarray(-2)] : [],
  );
}

/** The points of all series, by the parts of their lines. */
function marksOf(chart: Chart, runs: readonly (readonly Coordinates[])[], plot: Plot): readonly Mark[] {
  const { series, theme } = chart;
  return series.flatMap(({ values }, index) => {
    const color = series.length === 1 ? undefined : textColor(seriesColor(chart, index), theme);
    const present = numbersIn(values);
    let next = 0;
    const all = (runs[index] ?? []).flatMap((run) => {
      const start = next;
      next += run.length / 2;
      return pointMarks(run, present.slice(start, next), color).filter(({ y }) => isWithin(y, plot));
    });
    if (chart.values !== 'last') return all;
    return all.slice(-1).map((last): Mark => ({ ...last, side: 'right' }));
  });
}

/** The parts of a line between its gaps. Series over time may have points at different times. */
function runsOf({ values }: Series, plot: Plot): readonly Coordinates[] {
  const placed = placePoints(values, plot);
  if (!values.includes(undefined) && !values.includes(null)) return [placed];
  const hasTimes = plot.bandScale.places !== undefined;
  const runs: number[][] = [];
  let isAfterGap = true;
  values.forEach((value, i) => {
    if (typeof value !== 'number') {
      if (!hasTimes || value === null) isAfterGap = true;
      return;
    }
    if (isAfterGap) runs.push([]);
    isAfterGap = false;
    runs.at(-1)?.push(placed[2 * i] ?? 0, placed[2 * i + 1] ?? 0);
  });
  return runs.map((run) => Float64Array.from(run));
}

function isAlone(run: Coordinates): boolean {
  return run.length === 2;
}

/** The areas between the line of a series and the baseline. */
function areasUnder(
  lines: readonly Coordinates[],
  plot: Plot,
  chart: Chart,
  index: number,
  strength: number,
): readonly Area[] {
  // A faint shade of the line's colour; opaque if there is nothing behind it.
  const { background, paper } = chart.theme;
  const color = seriesColor(chart, index);
  const isOpaque = chart.series.length === 1 && background.alpha === 1;
  const fill = isOpaque
    ? mix(paper, over(color, paper), strength)
    : { ...color, alpha: Math.round(color.alpha * strength * 1000) / 1000 };
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
  const dash = seriesDash(index, width);
  return clipped(line, plot).map((points) => ({ ...style, dash, points }));
}

function dotsOf(
  runs: readonly Coordinates[],
  index: number,
  look: Look,
  chart: Chart,
  plot: Plot,
): readonly Dots[] {
  const { fontSize, showsText } = chart.sizes;
  return byColor(runs.flatMap(pairsOf), chart, index).map(([fill, each]) => ({
    kind: 'dots',
    fill,
    radius: showsText ? fontSize * look.dotRadius : Math.max(1, fontSize * 0.2),
    ring: fontSize * look.dotRing,
    ringColor: chart.theme.paper,
    centers: each.filter(([, y]) => isWithin(y, plot)).flat(),
  }));
}

function pairsOf(run: Coordinates): (readonly [x: number, y: number])[] {
  return Array.from({ length: run.length / 2 }, (_, i) => [run[2 * i] ?? 0, run[2 * i + 1] ?? 0]);
}
