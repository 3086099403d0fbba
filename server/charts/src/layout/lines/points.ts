import type { Chart } from '../../request/chart.ts';
import type { Coordinates, Dots } from '../../scene.ts';
import { numbersIn, type Series } from '../../request/series.ts';
import type { Times } from '../../request/times.ts';
import { byColor, seriesColor } from '../legend/series-look.ts';
import type { Mark } from '../marks.ts';
import { placePoints, type Plot } from '../plot.ts';
import type { BandScale } from '../sizes.ts';
import { textColor } from '../../theme.ts';

/** The radius of a dot, in units of the text size. */
const dotRadius = 0.25;

/** Places the points. The points at the ends are inset, so that any dots and labels have room. */
export function stops(
  { labels: { length: count }, times, sizes: { fontSize, showsAxes } }: Chart,
  left: number,
  right: number,
  { isBare, hasEndTexts = false }: { readonly isBare: boolean; readonly hasEndTexts?: boolean },
): BandScale {
  if (count === 1) return { start: (left + right) / 2, step: right - left };
  const most = !showsAxes ? fontSize * 0.3 : isBare ? 0 : fontSize * 3;
  const inset = Math.min((right - left) / count / 2, most);
  const start = left + inset;
  const width = right - (hasEndTexts ? 0 : inset) - start;
  return { start, step: width / (count - 1), places: times && placesOf(times, start, width) };
}

/** The x coordinates of times, in proportion to time; in the middle if all times are equal. */
function placesOf({ at }: Times, left: number, width: number): Readonly<Float64Array> {
  const [first, last] = [at[0] ?? 0, at.at(-1) ?? 0];
  if (first === last) return at.map(() => left + width / 2);
  return at.map((time) => left + ((time - first) / (last - first)) * width);
}

/** The parts of a line between its gaps. Over time, a point that only other series have is not a gap. */
export function runsOf({ values }: Series, plot: Plot): readonly Coordinates[] {
  const placed = placePoints(values, plot);
  if (!values.includes(undefined) && !values.includes(null)) return [placed];
  const hasTimes = plot.bandScale.places !== undefined;
  const runs: number[][] = [[]];
  values.forEach((value, i) => {
    if (typeof value === 'number') runs.at(-1)?.push(placed[2 * i] ?? 0, placed[2 * i + 1] ?? 0);
    else if (!hasTimes || value === null) runs.push([]);
  });
  return runs.filter(({ length }) => length > 0).map((run) => Float64Array.from(run));
}

/** A dot for each point in the plot. */
export function dotsOf(runs: readonly Coordinates[], index: number, chart: Chart, plot: Plot): Dots[] {
  const { fontSize, showsText } = chart.sizes;
  return byColor(runs.flatMap(pairsOf), chart, index).map(([fill, each]) => ({
    kind: 'dots',
    fill,
    radius: showsText ? fontSize * dotRadius : Math.max(1, fontSize * 0.2),
    centers: each.filter(([, y]) => isWithin(y, plot)).flat(),
  }));
}

function pairsOf(run: Coordinates): (readonly [x: number, y: number])[] {
  return Array.from({ length: run.length / 2 }, (_, i) => [run[2 * i] ?? 0, run[2 * i + 1] ?? 0]);
}

/**
 * The marks of all points, except last points with a text. The side of a label depends on the neighbours in the same
 * part of the line.
 */
export function marksOf(
  chart: Chart,
  runs: readonly (readonly Coordinates[])[],
  plot: Plot,
  hasEndTexts: boolean,
): Mark[] {
  const { series, theme } = chart;
  const end = hasEndTexts ? -1 : undefined;
  return series.flatMap(({ values }, index) => {
    const color = series.length === 1 ? undefined : textColor(seriesColor(chart, index), theme);
    const present = numbersIn(values).slice(0, end);
    const points = (runs[index] ?? []).flatMap(sidedPoints).slice(0, end);
    return points
      .map((point, i): Mark => ({ ...point, value: present[i] ?? 0, color }))
      .filter(({ y }) => isWithin(y, plot));
  });
}

/** The points of a line. A label is below its point if neither neighbour is lower, and otherwise above. */
function sidedPoints(run: Coordinates): readonly Pick<Mark, 'x' | 'y' | 'side'>[] {
  return pairsOf(run).map(([x, y], i, points) => {
    const [before = y, after = y] = [points[i - 1]?.[1], points[i + 1]?.[1]];
    const isLow = points.length > 1 && y >= before && y >= after && before !== after;
    return { x, y, side: isLow ? 'bottom' : 'top' };
  });
}

/** Returns true if a point is in the plot, or on its edge. */
function isWithin(y: number, { top, bottom }: Plot): boolean {
  return y >= top - 0.5 && y <= bottom + 0.5;
}
