import type { Bar } from '../scene.ts';
import type { Mark } from './marks.ts';
import { pixelWithin, type Plot } from './plot.ts';

/** A bar by its place on the category axis and its two ends on the value axis, in pixels. */
interface Extents {
  readonly start: number;
  readonly breadth: number;
  readonly from: number;
  readonly to: number;
}

/** The rectangle of a bar, round where it ends. */
export function barShape({ isHorizontal }: Plot, { start, breadth, from, to }: Extents, isRound = true): Bar {
  const [near, length] = [Math.min(from, to), Math.abs(to - from)];
  if (isHorizontal) {
    const rounded = !isRound ? 'none' : to < from ? 'left' : 'right';
    return { x: near, y: start, width: length, height: breadth, rounded };
  }
  const rounded = !isRound ? 'none' : to > from ? 'bottom' : 'top';
  return { x: start, y: near, width: breadth, height: length, rounded };
}

/** The end of a bar on the value axis. The bar of a value other than zero is at least one pixel long. */
export function barEnd(plot: Plot, value: number): number {
  const { base, isHorizontal } = plot;
  const end = Math.round(pixelWithin(plot, value));
  if (value === 0) return base;
  return value > 0 === isHorizontal ? Math.max(end, base + 1) : Math.min(end, base - 1);
}

/** The mark at the end of a bar whose place on the category axis is `at`. */
export function barMark(plot: Plot, at: number, value: number): Mark {
  const end = barEnd(plot, value);
  if (plot.isHorizontal) return { x: end, y: at, value, side: value < 0 ? 'left' : 'right' };
  return { x: at, y: end, value, side: value < 0 ? 'bottom' : 'top' };
}

/** The first and the last pixel of the category axis. */
export function categoryRange({ isHorizontal, left, top, right, bottom }: Plot): [from: number, to: number] {
  return isHorizontal ? [top, bottom] : [left, right];
}
