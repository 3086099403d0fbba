import type { Chart } from '../chart.ts';
import type { Shape } from '../scene.ts';
import { discOf, radiusMin } from './disc.ts';
import { placeLegend, planLegend } from './legend.ts';
import { leaderRoom } from './leader-lines.ts';
import { placeSliceLabels, sliceLabel, widthOf, type Form } from './slice-labels.ts';
import { bySize, slicesOf, type Part, type Slice } from './slices.ts';
import type { Box } from './sizes.ts';

const labelShareMax = 0.26;
const legendShareMax = 0.36;
/** The space above and below the disc, in units of the text size. */
const verticalRoom = 1.9;

/** Labels beside the slices of some parts and a legend for the others, or the parts whose labels do not fit. */
export function layoutLabelled(
  chart: Chart,
  parts: readonly Part[],
  beside: ReadonlySet<Part>,
  bounds: Box,
): { readonly shapes: readonly Shape[] } | { readonly unplaced: ReadonlySet<Part> } {
  const { sizes } = chart;
  const [width, height] = [bounds.right - bounds.left, bounds.bottom - bounds.top];
  const isBroad = width >= height * 1.2;
  const plan = planLegend(
    isBroad ? 'right' : 'below',
    (legendMax) => slicesOf(parts, beside, legendMax, chart),
    bounds,
    sizes.fontSize,
    isBroad
      ? { widthMax: width * legendShareMax, heightMax: height }
      : { widthMax: width, heightMax: height - radiusMin(bounds, sizes) * 2 - sizes.fontSize * 5 },
  );
  if (!plan.isWhole) return { unplaced: beside };
  const labelled = plan.slices.filter(({ place }) => place === 'beside');
  const stacked = labelsBeside(labelled, 'stack', plan.free, bounds, chart);
  if ('tooLong' in stacked) return { unplaced: partsIn(stacked.tooLong) };
  const inLines = 'colliding' in stacked ? labelsBeside(labelled, 'line', plan.free, bounds, chart) : stacked;
  const placed = 'tooLong' in inLines ? stacked : inLines;
  if ('colliding' in placed) {
    // If labels overlap, the label of the smallest slice is removed.
    const inTheWay = partsIn(placed.colliding);
    return { unplaced: new Set(bySize(parts.filter((part) => inTheWay.has(part))).slice(-1)) };
  }
  return {
    shapes: [
      ...discOf(plan.slices, plan.free, placed.radius, chart),
      ...placed.shapes,
      ...placeLegend(plan, chart),
    ],
  };
}

type Labelled =
  | { readonly radius: number; readonly shapes: readonly Shape[] }
  | { readonly tooLong: readonly Slice[] }
  | { readonly colliding: readonly Slice[] };

/** The largest circle that leaves room for the labels at its sides, and some above and below. */
function labelsBeside(slices: readonly Slice[], form: Form, free: Box, bounds: Box, chart: Chart): Labelled {
  const { sizes } = chart;
  const [width, height] = [free.right - free.left, free.bottom - free.top];
  const least = radiusMin(bounds, sizes);
  const leaders = sizes.fontSize * (leaderRoom + 0.5);
  const widthMax = Math.min(width * labelShareMax, width / 2 - least - leaders);
  const labels = slices.map((slice) => sliceLabel(slice, form, widthMax, sizes));
  const known = labels.filter((label) => label !== undefined);
  if (known.length < slices.length) return { tooLong: slices.filter((_, i) => labels[i] === undefined) };
  const widest = known.reduce((most, label) => Math.max(most, widthOf(label, sizes)), 0);
  const largest = Math.min(width / 2 - widest - leaders, height / 2 - sizes.fontSize * verticalRoom);
  const radius = Math.max(least, largest);
  const disc = { x: (free.left + free.right) / 2, y: (free.top + free.bottom) / 2, radius };
  const placed = placeSliceLabels(known, form, chart.theme.ink, disc, free, sizes);
  return 'shapes' in placed ? { radius, shapes: placed.shapes } : { colliding: placed.unplaced };
}

function partsIn(slices: readonly Slice[]): ReadonlySet<Part> {
  return new Set(slices.flatMap(({ part }) => (part === undefined ? [] : [part])));
}
