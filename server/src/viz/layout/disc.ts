import type { Chart } from '../chart.ts';
import type { Color } from '../color.ts';
import type { Rules, Wedge, Wedges } from '../scene.ts';
import type { Slice } from './slices.ts';
import type { Box, Sizes } from './sizes.ts';

/** The disc of a pie in the middle of a space, and the lines between its slices. */
export function discOf(
  slices: readonly Slice[],
  bounds: Box,
  radius: number,
  { theme }: Chart,
  sizes: Sizes,
): readonly [disc: Wedges, separators: Rules] {
  const wedges = slices.filter(({ from, to }) => to > from).map(({ from, to, fill }) => ({ from, to, fill }));
  const [x, y] = [(bounds.left + bounds.right) / 2, (bounds.top + bounds.bottom) / 2];
  const disc: Wedges = { kind: 'wedges', x, y, radius: Math.max(1, radius), wedges };
  return [disc, separators(disc, sizes, theme.paper)];
}

/** The disc keeps at least half of the shorter side of the picture, if its title leaves so much. */
export function radiusMin({ left, top, right, bottom }: Box, { width, height }: Sizes): number {
  return Math.min((right - left) / 2, (bottom - top) / 2, width / 4, height / 4);
}

/** Lines of the background between slices, except beside slices that are hardly wider than the line. */
function separators({ x, y, radius, wedges }: Wedges, { fontSize }: Sizes, stroke: Color): Rules {
  const width = Math.min(fontSize * 0.13, radius * 0.05);
  const isWide = ({ from, to }: Wedge): boolean => (to - from) * radius > width * 4;
  const between = wedges.filter(
    (wedge, i) => wedges.length > 1 && isWide(wedge) && isWide(wedges.at(i - 1) ?? wedge),
  );
  const lines = between.map(({ from }) => [x, y, x + Math.sin(from) * radius, y - Math.cos(from) * radius]);
  return { kind: 'rules', stroke, width, lines };
}
