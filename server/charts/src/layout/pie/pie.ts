import { range } from 'd3-array';
import type { Chart } from '../../request/chart.ts';
import type { Shape } from '../../scene.ts';
import { legendOf, legendRow, nameWidths } from '../legend/legend.ts';
import type { Box } from '../sizes.ts';
import { discOf } from './disc.ts';
import { labelsOf, placeSliceLabels } from './slice-labels.ts';
import { slicesOf, type Slice } from './slices.ts';

/** A legend of more slices would take the space of the disc, unless one column has room for them. */
const slicesMax = 24;
/** Labels are preferred to a legend if the radius of their disc is at least this share of the shorter side. */
const largeShare = 0.35;
/** The radius of the smallest disc, as a share of the picture's shorter side. */
const smallestShare = 0.075;
/** The distance between the disc and a legend, in units of the text size. */
const discGap = 2;

/**
 * A disc with a label next to each slice, or with a legend at its right or below it. The layout that names all slices
 * with the largest disc is chosen. The disc shrinks before names are dropped.
 */
export function layoutPie(chart: Chart, bounds: Box): readonly Shape[] {
  const { fontSize, showsText } = chart.sizes;
  const [width, height] = [bounds.right - bounds.left, bounds.bottom - bounds.top];
  const [x, y] = [bounds.left + width / 2, bounds.top + height / 2];
  const shorter = Math.min(width, height);
  const rowsIn = (space: number): number => Math.floor(space / (fontSize * legendRow));
  const slices = slicesOf(chart, Math.max(slicesMax, rowsIn(height)));
  if (!showsText) return discOf(slices, { x, y, radius: shorter / 2 }, chart);
  const labels = labelsOf(slices, width, fontSize);
  const labelled = (radius: number): readonly Shape[] | undefined => {
    const disc = { x, y, radius };
    const placed = labels && placeSliceLabels(labels, disc, bounds, chart);
    return placed && [...discOf(slices, disc, chart), ...placed];
  };
  const radii = range(40)
    .map((i) => (shorter / 2) * 0.95 ** i)
    .filter((radius) => radius >= Math.min(chart.sizes.width, chart.sizes.height) * smallestShare);
  for (const radius of radii) {
    const shapes = radius < shorter * largeShare ? undefined : labelled(radius);
    if (shapes !== undefined) return shapes;
  }
  for (const radius of radii) {
    const shapes = labelled(radius) ?? listed(slices, radius, bounds, chart);
    if (shapes !== undefined) return shapes;
  }
  // Not all names fit. The smallest slices are merged, and the names of those in one column are shortened.
  const radius = radii.at(-1) ?? 0;
  for (const count of range(slices.length, 0, -1)) {
    const some = slicesOf(chart, count);
    for (const nameMax of count > rowsIn(height) ? [Infinity] : nameWidths) {
      const shapes = listed(some, radius, bounds, chart, nameMax);
      if (shapes !== undefined) return shapes;
    }
  }
  return discOf(slices, { x, y, radius: shorter / 2 }, chart);
}

/**
 * The disc, at least of this radius, with a legend. The legend is beside the disc, or below it if there is no room beside
 * it. Undefined if it has no room there either.
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
