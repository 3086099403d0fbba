import { pairs, range } from 'd3-array';
import type { Coordinates } from '../../scene.ts';
import type { Box } from '../sizes.ts';

type Rows = Pick<Box, 'top' | 'bottom'>;

/** The parts of a line between its gaps, which are points without a y. */
export function partsOf(line: Coordinates): readonly Coordinates[] {
  const gaps = range(1, line.length, 2).filter((i) => Number.isNaN(line[i]));
  const parts = pairs([-1, ...gaps, line.length + 1], (from, to) => line.subarray(from + 1, to - 1));
  return parts.filter(({ length }) => length > 0);
}

/** The parts of a line that are inside the plot. */
export function clipped(line: Coordinates, rows: Rows): readonly Coordinates[] {
  if (isInside(line, rows)) return [line];
  const points = withCrossings(line, rows);
  const inside = points.map((at, i) => (i % 2 === 0 || within(at, rows) === at ? at : NaN));
  return partsOf(inside).filter(({ length }) => length > 2);
}

/** The line, with its parts outside the plot moved to the edge of the plot. */
export function alongEdges(line: Coordinates, rows: Rows): Coordinates {
  if (isInside(line, rows)) return line;
  return withCrossings(line, rows).map((at, i) => (i % 2 === 0 ? at : within(at, rows)));
}

/** The polygon along one edge and back along the other. */
export function between(there: Coordinates, back: Coordinates): Coordinates {
  const points = new Float64Array(there.length + back.length);
  points.set(there);
  for (let i = 0; i < back.length; i += 2)
    points.set(back.subarray(back.length - i - 2, back.length - i), there.length + i);
  return points;
}

/** The line with points where it crosses the edges of the plot. */
function withCrossings(line: Coordinates, { top, bottom }: Rows): Coordinates {
  const points: number[] = [];
  for (let i = 0; i < line.length; i += 2) {
    const [x1 = NaN, y1 = NaN, x2 = 0, y2 = 0] = [line[i - 2], line[i - 1], line[i], line[i + 1]];
    for (const y of y1 < y2 ? [top, bottom] : [bottom, top])
      if ((y1 - y) * (y2 - y) < 0) points.push(x1 + ((x2 - x1) * (y - y1)) / (y2 - y1), y);
    points.push(x2, y2);
  }
  return Float64Array.from(points);
}

function isInside(line: Coordinates, { top, bottom }: Rows): boolean {
  for (let i = 1; i < line.length; i += 2) {
    const y = line[i] ?? 0;
    if (y < top - 0.01 || y > bottom + 0.01) return false;
  }
  return true;
}

function within(y: number, { top, bottom }: Rows): number {
  return Math.min(Math.max(y, top), bottom);
}

/**
 * Keeps only the first, lowest, highest and last point in each pixel column. The picture stays the same, with at most
 * four points per pixel.
 */
export function decimated(line: Coordinates, left: number, right: number): Coordinates {
  if (line.length / 2 <= (right - left) * 2) return line;
  const result: number[] = [];
  let [first, low, high] = [0, 0, 0];
  for (let i = 2; i <= line.length; i += 2) {
    if (i === line.length || Math.floor(line[i] ?? 0) !== Math.floor(line[first] ?? 0)) {
      for (const kept of new Set([first, Math.min(low, high), Math.max(low, high), i - 2]))
        result.push(line[kept] ?? 0, line[kept + 1] ?? 0);
      first = low = high = i;
    } else if ((line[i + 1] ?? 0) < (line[low + 1] ?? 0)) low = i;
    else if ((line[i + 1] ?? 0) > (line[high + 1] ?? 0)) high = i;
  }
  return Float64Array.from(result);
}
