import type { Chart } from '../../request/chart.ts';
import type { Rules, Shape, Texts, Wedge, Wedges } from '../../scene.ts';
import { numberFormatsOf } from '../../text/number-formats.ts';
import { shortNumber } from '../../text/numbers.ts';
import { textWidth } from '../../text/text-width.ts';
import { capHeight } from '../sizes.ts';
import { sumOf, type Slice } from './slices.ts';

const holeShare = 0.6;

/** The disc of a pie, the lines between its slices, and the sum in the hole of a donut. */
export function discOf(
  slices: readonly Slice[],
  { x, y, radius }: Pick<Wedges, 'x' | 'y' | 'radius'>,
  chart: Chart,
): readonly Shape[] {
  const wedges = slices.filter(({ from, to }) => to > from).map(({ from, to, fill }) => ({ from, to, fill }));
  const hole = chart.isDonut ? radius * holeShare : 0;
  const disc: Wedges = { kind: 'wedges', x, y, radius: Math.max(1, radius), hole, wedges };
  const sum = chart.isDonut && chart.sizes.showsText ? sumIn(disc, chart) : [];
  return [disc, separators(disc, chart), ...sum];
}

/** The sum of the values, smaller or abbreviated if the hole is small. If it does not fit, the title shows it. */
function sumIn({ x, y, hole }: Wedges, { series, numbers, locale, theme, sizes }: Chart): readonly Texts[] {
  const widthMax = hole * 2 - Math.min(sizes.fontSize * 2, hole * 0.4);
  const sum = sumOf(series);
  const { units } = numberFormatsOf(locale);
  const [text, size] = [numbers, { ...numbers, units, isCompact: true, decimals: undefined }]
    .map((formats) => shortNumber(sum, formats))
    .map((each) => [each, Math.min(sizes.title, widthMax / textWidth(each, 1, 'bold'))] as const)
    .reduce((full, short) => (full[1] < sizes.fontSize ? short : full));
  if (size < sizes.fontSize * 0.92) return [];
  const texts = [{ x, y: y + (size * capHeight) / 2, text }];
  return [{ kind: 'texts', size, weight: 'bold', fill: theme.ink.title, anchor: 'middle', texts }];
}

/** Lines in the background colour between slices. Slices that are hardly wider than a line have none. */
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
