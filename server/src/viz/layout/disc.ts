import type { Chart } from '../chart.ts';
import type { Rules, Shape, Texts, Wedge, Wedges } from '../scene.ts';
import { shortNumber } from './numbers.ts';
import { sumOf, type Slice } from './slices.ts';
import { capHeight, type Box, type Sizes } from './sizes.ts';
import { textWidth } from './text-width.ts';

const holeShare = 0.6;

/** The disc of a pie in the middle of a space, the lines between its slices, and the sum in the hole of a donut. */
export function discOf(
  slices: readonly Slice[],
  bounds: Box,
  radius: number,
  chart: Chart,
): readonly Shape[] {
  const wedges = slices.filter(({ from, to }) => to > from).map(({ from, to, fill }) => ({ from, to, fill }));
  const [x, y] = [(bounds.left + bounds.right) / 2, (bounds.top + bounds.bottom) / 2];
  const hole = chart.isDonut ? radius * holeShare : 0;
  const disc: Wedges = { kind: 'wedges', x, y, radius: Math.max(1, radius), hole, wedges };
  const sum = chart.isDonut && chart.sizes.showsText ? sumIn(disc, chart) : [];
  return [disc, separators(disc, chart), ...sum];
}

/** The sum of the values, if it has room in the hole. */
function sumIn({ x, y, hole }: Wedges, { series, numbers, theme, sizes }: Chart): readonly Texts[] {
  const text = shortNumber(sumOf(series), numbers);
  const widthMax = hole * 2 - sizes.fontSize * 2;
  const size = Math.min(sizes.title, (sizes.title * widthMax) / textWidth(text, sizes.title, 'bold'));
  if (size < sizes.fontSize) return [];
  const texts = [{ x, y: y + (size * capHeight) / 2, text }];
  return [{ kind: 'texts', size, weight: 'bold', fill: theme.ink.title, anchor: 'middle', texts }];
}

/** The disc keeps at least half of the shorter side of the picture, if its title leaves so much. */
export function radiusMin({ left, top, right, bottom }: Box, { width, height }: Sizes): number {
  return Math.min((right - left) / 2, (bottom - top) / 2, width / 4, height / 4);
}

/** Lines of the background between slices, except beside slices that are hardly wider than the line. */
function separators({ x, y, radius, hole, wedges }: Wedges, { sizes, theme }: Chart): Rules {
  const width = Math.min(sizes.fontSize * 0.13, radius * 0.05);
  const isWide = ({ from, to }: Wedge): boolean => (to - from) * radius > width * 4;
  const between = wedges.filter(
    (wedge, i) => wedges.length > 1 && isWide(wedge) && isWide(wedges.at(i - 1) ?? wedge),
  );
  const lines = between.map(({ from }) => {
    const [right, down] = [Math.sin(from), -Math.cos(from)];
    return [x + right * hole, y + down * hole, x + right * radius, y + down * radius];
  });
  return { kind: 'rules', stroke: theme.paper, width, lines };
}
