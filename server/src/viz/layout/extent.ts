import type { Point } from '../chart.ts';

/** The smallest and the largest value. Both are 0 when there is none. */
export function extentOf(points: readonly Point[]): [low: number, high: number] {
  let low = points[0]?.value ?? 0;
  let high = low;
  for (const { value } of points) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}

/** Bars start at zero, so zero is always in their range. */
export function barExtent(points: readonly Point[]): [low: number, high: number] {
  const [low, high] = extentOf(points);
  return [Math.min(0, low), Math.max(0, high)];
}

/** Lines show change, so zero is in their range only when the values come near it. */
export function lineExtent(points: readonly Point[]): [low: number, high: number] {
  const [low, high] = extentOf(points);
  if (low > 0 && low < high * 0.4) return [0, high];
  if (high < 0 && high > low * 0.4) return [low, 0];
  return [low, high];
}
