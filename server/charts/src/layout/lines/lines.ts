import { pairs, range } from 'd3-array';
import type { Chart } from '../../request/chart.ts';
import { mix } from '../../color.ts';
import type { Area, Coordinates, Dots, Path, Shape } from '../../scene.ts';
import type { Series } from '../../request/series.ts';
import { textColor } from '../../theme.ts';
import { layoutBars } from '../bars/bars.ts';
import { sumMarks } from '../bars/place-bars.ts';
import { dotsAlong, placeEndTexts, type EndTexts } from './end-texts.ts';
import { extentOf, isValueAxisNeeded, type Extremes } from '../axes/value-axis.ts';
import { categoryStep, placePlot, placePoints, type Plot } from '../plot.ts';
import { alongEdges, between, clipped, decimated, partsOf } from './polylines.ts';
import { withReferenceLines } from '../axes/reference-lines.ts';
import { showsZero } from '../axes/value-scale.ts';
import { byColor, seriesColor } from '../legend/legend.ts';
import { placeOf, type BandScale, type Box, type Sizes } from '../sizes.ts';
import { stackedAreas } from './stacked-areas.ts';
import type { Mark } from '../marks.ts';
import { placeValueLabels, planValueLabels } from '../labels/value-labels.ts';

/** The share of the line's colour in the colour of an area, which makes areas darker than the grid. */
const areaStrength = 0.2;

/**
 * A line for each series, with dots if its points are few, and interrupted where a value is missing. Stacked areas have
 * neither dots nor gaps. A single line has a faint area down to zero.
 */
export function layoutLines(chart: Chart, bounds: Box, extremes: Extremes, ends: EndTexts): readonly Shape[] {
  const { series, isArea, isStacked, sizes } = chart;
  // An area over a single category would have no width.
  if (isStacked && chart.labels.length === 1) return layoutBars(chart, bounds, extremes, ends);
  const labels = planValueLabels(chart, categoryStep(chart, bounds), bounds);
  const isBare = labels === undefined && (isStacked || chart.labels.length >= dotsMax);
  const hasEndTexts = ends.length > 0 && !isStacked;
  const plot = placePlot(chart, bounds, {
    extremes,
    bandScaleIn: (left, right) => pointsIn(chart, left, right, isBare, hasEndTexts),
    valueLabels: labels,
    // Without numbers, readers take the foot of the axis for zero.
    isCard:
      sizes.width < 36 * sizes.fontSize &&
      extentOf(chart, extremes)[0] === 0 &&
      labels === undefined &&
      chart.lines.length === 0 &&
      !isValueAxisNeeded(chart) &&
      ends.some(({ size }) => size === sizes.title),
  });
  if (isStacked) {
    const areas = stackedAreas(chart, plot);
    const sums = placeValueLabels(labels, () => sumMarks(chart, plot), plot, chart, areas);
    const drawn = [...plot.grid, ...areas, ...plot.axes, ...placeEndTexts(chart, plot, ends), ...sums];
    return withReferenceLines(drawn, chart, plot);
  }
  const hasArea = isArea || (series.length === 1 && showsZero(plot.scale) && plot.bandScale.step > 2);
  const runs = series.map((each) => runsOf(each, plot));
  const lines = runs.map((some) =>
    some.filter((run) => run.length > 2).map((run) => decimated(run, plot.left, plot.right)),
  );
  const areas = hasArea ? lines.flatMap((some, i) => areasUnder(some, plot, chart, i)) : [];
  const gaps = runs.map((some) => bridges(some, sizes));
  // Lines are thinner the closer their points are.
  const distance = plot.bandScale.step / sizes.fontSize;
  const width = Math.max(1, (sizes.fontSize / 13) * Math.min(2.3, 1.1 + distance * 1.2));
  const marks = lines.flatMap((some, i) => {
    const line = { kind: 'path', stroke: seriesColor(chart, i), width } as const;
    const dots = { ...line, ...dotsAlong(line.width * 0.6) };
    return [
      ...(gaps[i] ?? []).flatMap((gap) => clipped(gap, plot)).map((points): Path => ({ ...dots, points })),
      ...some.flatMap((run) => clipped(run, plot)).map((points): Path => ({ ...line, points })),
      ...dotsOf(runs[i] ?? [], i, chart, plot, hasEndTexts),
    ];
  });
  const names = placeEndTexts(chart, plot, ends, [...lines, ...gaps].flat());
  const labelled = (): readonly Mark[] => marksOf(chart, plot, hasEndTexts);
  const texts = placeValueLabels(labels, labelled, plot, chart, [...marks, ...names]);
  const drawn = [...areas, ...plot.grid, ...plot.axes, ...names, ...marks, ...texts];
  return withReferenceLines(drawn, chart, plot);
}

/** Lines from each part of a line to the next one, across gaps that are wide enough for dots. */
function bridges(runs: readonly Coordinates[], { fontSize }: Sizes): readonly Coordinates[] {
  const across = pairs(runs, (a, b) => Float64Array.of(...a.subarray(-2), ...b.subarray(0, 2)));
  return across.filter(([from = 0, , to = 0]) => to - from >= fontSize);
}

/** The areas between the line of a series and the baseline. */
function areasUnder(lines: readonly Coordinates[], plot: Plot, chart: Chart, index: number): readonly Area[] {
  // A faint shade of the line's colour; opaque if nothing behind the area must show through.
  const { background, paper } = chart.theme;
  const color = seriesColor(chart, index);
  const isOpaque = chart.series.length === 1 && background.alpha === 1;
  const fill = isOpaque ? mix(paper, color, areaStrength) : { ...color, alpha: areaStrength };
  return lines.map((line) => {
    const foot = Float64Array.of(line[0] ?? 0, plot.base, line.at(-2) ?? 0, plot.base);
    return { kind: 'area', fill, points: between(alongEdges(line, plot), foot) };
  });
}

/** The positions of points. Those at the ends are inset, so that any dots and labels have room. */
function pointsIn(
  { labels: { length: count }, times, sizes: { fontSize, showsAxes } }: Chart,
  left: number,
  right: number,
  isBare: boolean,
  hasEndTexts: boolean,
): BandScale {
  if (count === 1) return { start: (left + right) / 2, step: right - left };
  const most = !showsAxes ? fontSize * 0.3 : isBare ? 0 : fontSize * 3;
  const inset = Math.min((right - left) / count / 2, most);
  const start = left + inset;
  const width = right - (hasEndTexts ? 0 : inset) - start;
  // Times are placed in proportion to time, and equal ones in the middle.
  const [first = 0, last = 0] = [times?.at[0], times?.at.at(-1)];
  const shareOf = (time: number): number => (first === last ? 0.5 : (time - first) / (last - first));
  return { start, step: width / (count - 1), places: times?.at.map((time) => start + shareOf(time) * width) };
}

/** The parts of a line between its gaps. Over time, a point that only other series have is not a gap. */
function runsOf({ values }: Series, plot: Plot): readonly Coordinates[] {
  const placed = placePoints(values, plot);
  if (!values.includes(undefined) && !values.includes(null)) return [placed];
  const isOverTime = plot.bandScale.places !== undefined;
  return partsOf(placed.filter((_, i) => !isOverTime || values[Math.floor(i / 2)] !== undefined));
}

/** From this number of points on, only lone points and a last point with a text have dots. */
const dotsMax = 8;

/** The dots of a line at its points in the plot. */
function dotsOf(runs: readonly Coordinates[], i: number, chart: Chart, plot: Plot, hasText: boolean): Dots[] {
  const { labels, sizes } = chart;
  const areAll = labels.length < 3 || (sizes.showsText && labels.length < dotsMax);
  const dotted = runs.filter((run) => areAll || run.length === 2 || (hasText && run === runs.at(-1)));
  const points = dotted.flatMap((run) =>
    range(areAll ? 0 : run.length - 2, run.length, 2).map((at) => [run[at] ?? 0, run[at + 1] ?? 0] as const),
  );
  return byColor(points, chart, i).map(([fill, each]) => ({
    kind: 'dots',
    fill,
    radius: sizes.fontSize * 0.25,
    centers: each.filter(([, y]) => isWithin(y, plot)).flat(),
  }));
}

/**
 * The marks of all points in the plot, except last points with a text. A label is below its point if no neighbour is
 * lower and one is higher, and otherwise above.
 */
function marksOf(chart: Chart, plot: Plot, hasEndTexts: boolean): Mark[] {
  const { series, theme } = chart;
  return series.flatMap(({ values }, index) => {
    const color = series.length === 1 ? undefined : textColor(seriesColor(chart, index), theme);
    const rows = placePoints(values, plot).filter((_, i) => i % 2 === 1);
    const last = hasEndTexts ? values.findLastIndex((value) => typeof value === 'number') : -1;
    return values.flatMap((value, i): Mark[] => {
      const [y = NaN, before = NaN, after = NaN] = [rows[i], rows[i - 1], rows[i + 1]];
      if (typeof value !== 'number' || i === last || !isWithin(y, plot)) return [];
      const isLow = !(before > y || after > y) && (before < y || after < y);
      return [{ x: placeOf(plot.bandScale, i), y, value, color, side: [0, isLow ? 1 : -1] }];
    });
  });
}

/** Returns true if a point is in the plot, or on its edge. */
function isWithin(y: number, { top, bottom }: Plot): boolean {
  return y >= top - 0.5 && y <= bottom + 0.5;
}
