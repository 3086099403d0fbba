import type { Coordinates } from '../../scene.ts';
import type { Box } from '../sizes.ts';

type Rows = Pick<Box, 'top' | 'bottom'>;

/** The parts of a line that are inside the plot. */
export function clipped(line: Coordinates, rows: Rows): readonly Coordinates[] {
  const points = withCrossings(line, rows);
  if (points === line) return [line];
  const parts: number[][] = [[]];
  for (let i = 0; i < points.length; i += 2) {
    const [x = 0, y = 0] = points.subarray(i, i + 2);
    if (within(y, rows) === y) parts.at(-1)?.push(x, y);
    else parts.push([]);
  }
  return parts.filter(({ length }) => length > 2).map((part) => Float64Array.from(part));
}

/** The line, with its parts outside the plot moved to the edge of the plot. */
export function alongEdges(line: Coordinates, rows: Rows): Coordinates {
  const points = withCrossings(line, rows);
  return points === line ? line : points.map((at, i) => (i % 2 === 0 ? at : within(at, rows)));
}

/** The polygon along one edge and back along the other. */
export function between(there: Coordinates, back: Coordinates): Coordinates {
  const points = new Float64Array(there.length + back.length);
  points.set(there);
  for (let i = 0; i < back.length; i += 2)
    points.set(back.subarray(back.length - i - 2, back.length - i), there.length + i);
  return points;
}

/** The line with points where it crosses the edges of the plot; the same line if it stays inside. */
function withCrossings(line: Coordinates, rows: Rows): Coordinates {
  if (isInside(line, rows)) return line;
  const { top, bottom } = rows;
  const points: number[] = [];
  for (let i = 0; i < line.length; i += 2) {
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = line.subarray(Math.max(0, i - 2), i + 2);
    const edges = y1 < y2 ? [top, bottom] : [bottom, top];
    for (const y of i === 0 ? [] : edges) {
      if ((y1 - y) * (y2 - y) < 0) points.push(x1 + ((x2 - x1) * (y - y1)) / (y2 - y1), y);
    }
    points.push(line[i] ?? 0, line[i + 1] ?? 0);
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
  let start = 0;
  for (let i = 2; i <= line.length; i += 2) {
    if (i < line.length && Math.floor(line[i] ?? 0) === Math.floor(line[start] ?? 0)) continue;
    for (const index of turningPoints(line, start, i - 2))
      result.push(line[index] ?? 0, line[index + 1] ?? 0);
    start = i;
  }
  return Float64Array.from(result);
}

/** The indexes of the first, lowest, highest and last point from `start` to `end`, in order and without duplicates. */
function turningPoints(line: Coordinates, start: number, end: number): readonly number[] {
  let [low, high] = [start, start];
  for (let i = start; i <= end; i += 2) {
    const y = line[i + 1] ?? 0;
    if (y < (line[low + 1] ?? 0)) low = i;
    if (y > (line[high + 1] ?? 0)) high = i;
  }
  return [...new Set([start, Math.min(low, high), Math.max(low, high), end])];
}
