import type { Chart } from '../../request/chart.ts';
import type { Coordinates, Dots } from '../../scene.ts';
import type { Series } from '../../request/series.ts';
import type { Times } from '../../request/times.ts';
import { byColor, seriesColor } from '../legend/series-look.ts';
import type { Mark } from '../marks.ts';
import { placePoints, type Plot } from '../plot.ts';
import { placeOf, type BandScale } from '../sizes.ts';
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
 * The marks of all points in the plot, except last points with a text. A label is below its point if no neighbour is
 * lower and one is higher, and otherwise above.
 */
export function marksOf(chart: Chart, plot: Plot, hasEndTexts: boolean): Mark[] {
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
