import type { Coordinates } from '../scene.ts';

/**
 * Keeps only the first, lowest, highest and last point of each pixel column: the picture is the same, with at most four
 * points per pixel.
 */
export function decimated(line: Coordinates, left: number, right: number): Coordinates {
  if (line.length / 2 <= (right - left) * 2) return line;
  const result: number[] = [];
  let start = 0;
  for (let i = 2; i <= line.length; i += 2) {
    if (i < line.length && columnAt(line, i) === columnAt(line, start)) continue;
    for (const index of turningPoints(line, start, i - 2))
      result.push(line[index] ?? 0, line[index + 1] ?? 0);
    start = i;
  }
  return Float64Array.from(result);
}

function columnAt(line: Coordinates, index: number): number {
  return Math.floor(line[index] ?? 0);
}

/** The indexes of the first, lowest, highest and last point from `start` to `end`, each once and in order. */
function turningPoints(line: Coordinates, start: number, end: number): readonly number[] {
  let [low, high] = [start, start];
  for (let i = start; i <= end; i += 2) {
    const y = line[i + 1] ?? 0;
    if (y < (line[low + 1] ?? 0)) low = i;
    if (y > (line[high + 1] ?? 0)) high = i;
  }
  return [...new Set([start, Math.min(low, high), Math.max(low, high), end])];
}
