import type { Point } from '../chart.ts';
import type { Bar } from '../scene.ts';
import { barEnd, barShape, categoryRange } from './bar-shape.ts';
import type { Plot } from './plot.ts';

/**
 * Bars too narrow for gaps between them. If there are more bars than pixels, a column of one pixel spans its
 * values from the lowest to the highest. A value that is not zero is at least one pixel high.
 */
export function columns(points: readonly Point[], plot: Plot): Bar[] {
  const { base } = plot;
  const [left, right] = categoryRange(plot);
  const count = Math.min(points.length, Math.round(right - left));
  const width = (right - left) / count;
  return Array.from({ length: count }, (_, column) => {
    const first = Math.floor((column * points.length) / count);
    const next = Math.floor(((column + 1) * points.length) / count);
    let [low, high] = [0, 0];
    for (let i = first; i < next; i++) {
      const value = points[i]?.value ?? 0;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    const from = low < 0 ? barEnd(plot, low) : base;
    const to = high > 0 ? barEnd(plot, high) : base;
    const start = Math.round(left + column * width);
    const breadth = Math.round(left + (column + 1) * width) - start;
    return barShape(plot, { start, breadth, from, to }, false);
  });
}
