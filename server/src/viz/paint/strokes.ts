import type { Coordinates } from '../scene.ts';

const travelMax = 120;
const pointsMax = 60;

/**
 * Cuts a long line into pieces that cairo strokes much faster than the whole. Each piece begins with the last
 * segment of the one before, so that the cut does not show.
 */
export function pieces(points: Coordinates): readonly Coordinates[] {
  const result: Coordinates[] = [];
  let start = 0;
  let travel = 0;
  for (let i = 2; i < points.length; i += 2) {
    travel += Math.abs((points[i + 1] ?? 0) - (points[i - 1] ?? 0));
    if (i - start < 6 || (travel < travelMax && i - start < pointsMax * 2)) continue;
    result.push(points.slice(start, i + 2));
    start = i - 2;
    travel = 0;
  }
  if (start + 4 < points.length || result.length === 0) result.push(points.slice(start));
  return result;
}
