import { range } from 'd3-array';
import type { Chart } from '../../request/chart.ts';
import type { Rules, Shape, Texts, Wedge, Wedges } from '../../scene.ts';
import { numberFormatsOf } from '../../text/number-formats.ts';
import { shortNumber } from '../../text/numbers.ts';
import { textWidth } from '../../text/text-width.ts';
import { legendOf, legendRow, nameWidths } from '../legend/legend.ts';
import { capHeight, type Box } from '../sizes.ts';
import { labelsOf, placeSliceLabels, type Disc } from './slice-labels.ts';
import { slicesOf, sumOf, type Slice } from './slices.ts';

/** A legend of more slices would take the space of the disc, unless one column has room for them. */
const slicesMax = 24;
/** Labels are preferred to a legend if the radius of their disc is at least this share of the shorter side. */
const largeShare = 0.35;
/** The radius of the smallest disc, as a share of the picture's shorter side. */
const smallestShare = 0.075;
/** The distance between the disc and a legend, in units of the text size. */
const discGap = 2;

/**
 * A disc with a label next to each slice, if the disc can be large. Otherwise, the largest disc whose slices are all
 * named by labels or by a legend. The disc shrinks before names are dropped.
 */
export function layoutPie(chart: Chart, bounds: Box): readonly Shape[] {
  const { fontSize, showsText } = chart.sizes;
  const [width, height] = [bounds.right - bounds.left, bounds.bottom - bounds.top];
  const [x, y] = [bounds.left + width / 2, bounds.top + height / 2];
  const shorter = Math.min(width, height);
  const rows = Math.floor(height / (fontSize * legendRow));
  const slices = slicesOf(chart, Math.max(slicesMax, rows));
  const alone = (): readonly Shape[] => discOf(slices, { x, y, radius: shorter / 2 }, chart);
  if (!showsText) return alone();
  const labels = labelsOf(slices, width, fontSize);
  const labelled = (radius: number): readonly Shape[] | undefined => {
    const disc = { x, y, radius };
    const placed = labels && placeSliceLabels(labels, disc, bounds, chart);
    return placed && [...discOf(slices, disc, chart), ...placed];
  };
  const radii = range(40)
    .map((i) => (shorter / 2) * 0.95 ** i)
    .filter((radius) => radius >= Math.min(chart.sizes.width, chart.sizes.height) * smallestShare);
  const large = radii.filter((radius) => radius >= shorter * largeShare);
  const named =
    large.values().map(labelled).find(Boolean) ??
    radii
      .values()
      .map((radius) => labelled(radius) ?? listed(slices, radius, bounds, chart))
      .find(Boolean);
  if (named !== undefined) return named;
  // Not all names fit. The smallest slices are merged, and the names of those in one column are shortened.
  for (const count of range(slices.length, 0, -1)) {
    const some = slicesOf(chart, count);
    const shapes = (count > rows ? [Infinity] : nameWidths)
      .values()
      .map((nameMax) => listed(some, radii.at(-1) ?? 0, bounds, chart, nameMax))
      .find(Boolean);
    if (shapes !== undefined) return shapes;
  }
  return alone();
}

/**
 * A disc of at least this radius, with its legend beside it. A legend that has no room there is below the disc.
 * Undefined if neither place has room.
 */
function listed(
  slices: readonly Slice[],
  radiusMin: number,
  { left, top, right, bottom }: Box,
  chart: Chart,
  nameMax = Infinity,
): readonly Shape[] | undefined {
  const [width, height] = [right - left, bottom - top];
  const gap = chart.sizes.fontSize * discGap;
  const space = radiusMin * 2 + gap;
  const beside = legendOf(slices, width - space, height, chart, nameMax);
  const legend = beside ?? legendOf(slices, width, height - space, chart, nameMax);
  if (legend === undefined) return undefined;
  const [across, down] = beside ? [legend.width + gap, 0] : [0, legend.height + gap];
  const radius = Math.min(width - across, height - down) / 2;
  const [x, y] = [left + (width - across) / 2, top + (height - down) / 2];
  const place = beside
    ? legend.placeAt(x + radius + gap, y - legend.height / 2)
    : legend.placeAt(x - legend.width / 2, y + radius + gap);
  return [...discOf(slices, { x, y, radius }, chart), ...place];
}

/** The radius of the hole of a donut, as a share of the radius. */
const holeShare = 0.6;

/** The disc of a pie, the lines between its slices, and the sum in the hole of a donut. */
function discOf(slices: readonly Slice[], { x, y, radius }: Disc, chart: Chart): readonly Shape[] {
  const wedges = slices.filter(({ from, to }) => to > from);
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

/** Lines in the colour of the paper between slices. Slices that are hardly wider than a line have none. */
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
