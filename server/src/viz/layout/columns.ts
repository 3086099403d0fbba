import type { Point } from '../chart.ts';
import type { Bar } from '../scene.ts';
import type { Plot } from './plot.ts';

/** Bars too narrow to be told apart, gathered into columns of one pixel from the lowest to the highest value. */
export function columns(points: readonly Point[], { left, right, yOf, base }: Plot): Bar[] {
  const count = Math.min(points.length, Math.round(right - left));
  return Array.from({ length: count }, (_, column) => {
    const first = Math.floor((column * points.length) / count);
    const end = Math.floor(((column + 1) * points.length) / count);
    let [low, high] = [0, 0];
    for (let i = first; i < end; i++) {
      const value = points[i]?.value ?? 0;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    const y = high > 0 ? Math.round(yOf(high)) : base;
    const x = left + (column * (right - left)) / count;
    const height = (low < 0 ? Math.round(yOf(low)) : base) - y;
    return { x, y, width: (right - left) / count, height, rounded: 'none' };
  });
}
