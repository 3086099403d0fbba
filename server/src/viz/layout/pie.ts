import { max } from 'd3-array';
import type { Chart } from '../chart.ts';
import type { Shape, Rules, Texts, Wedge, Wedges } from '../scene.ts';
import { legendGap, legendRow, placeLegend, planLegend, type LegendPlan } from './legend.ts';
import { largeParts, partsOf, slicesOf, type Part, type Slice, bySize, sumOf } from './slices.ts';
import { lineHeight, type Box, capHeight, type Sizes } from './sizes.ts';
import { leaderRoom } from './leader-lines.ts';
import { placeSliceLabels, sliceLabel, widthOf, type Form } from './slice-labels.ts';
import { shortNumber } from './numbers.ts';
import { textWidth } from './text-width.ts';

const unnamedMax = 60;

/**
 * A disc with labels next to its slices. Slices are listed in a legend if they are small, have a long name, or cannot
 * be reached by a leader line. If these are most of the slices, the legend lists all.
 */
export function layoutPie(chart: Chart, bounds: Box): readonly Shape[] {
  const { sizes } = chart;
  const parts = partsOf(chart);
  const [width, height] = [bounds.right - bounds.left, bounds.bottom - bounds.top];
  const unnamed = (): readonly Shape[] =>
    discOf(slicesOf(parts, new Set(), unnamedMax, chart), bounds, Math.min(width, height) / 2, chart);
  if (!sizes.showsText || Math.min(width, height) < sizes.fontSize * 6) return unnamed();
  const lines = height / (sizes.fontSize * lineHeight);
  let beside: ReadonlySet<Part> =
    height > width * 1.2 ? new Set() : largeParts(parts, Math.floor(lines * 1.4));
  const besideMin = Math.max(1, beside.size / 2);
  while (beside.size >= besideMin) {
    const result = layoutLabelled(chart, parts, beside, bounds);
    if ('shapes' in result) return result.shapes;
    beside = beside.difference(result.unplaced);
  }
  return layoutListed(chart, parts, bounds) ?? unnamed();
}

/**
 * The disc and a legend of all slices, at the right or at the bottom, whichever has room for more slices, whole names
 * and a larger disc.
 */
function layoutListed(chart: Chart, parts: readonly Part[], bounds: Box): readonly Shape[] | undefined {
  const { sizes } = chart;
  const [width, height] = [bounds.right - bounds.left, bounds.bottom - bounds.top];
  const [side, gap] = [radiusMin(bounds, sizes) * 2, sizes.fontSize * legendGap];
  const rooms = {
    right: { widthMax: width - gap - side, heightMax: height },
    below: { widthMax: width, heightMax: height - gap - side },
  };
  const plans = (['right', 'below'] as const)
    .filter((place) => rooms[place].widthMax >= sizes.fontSize * 8)
    .filter((place) => rooms[place].heightMax >= sizes.fontSize * legendRow * 3)
    .map((place) => {
      const divide = (legendMax: number): readonly Slice[] => slicesOf(parts, new Set(), legendMax, chart);
      return centered(planLegend(place, divide, bounds, sizes.fontSize, rooms[place]));
    });
  const [best] = plans.toSorted(
    (a, b) =>
      b.legend.length - a.legend.length || Number(b.isWhole) - Number(a.isWhole) || b.radius - a.radius,
  );
  if (best === undefined) return undefined;
  return [...discOf(best.slices, best.free, best.radius, chart), ...placeLegend(best, chart)];
}

/** Centres the disc and its legend together. */
function centered(plan: LegendPlan): LegendPlan & { readonly radius: number } {
  const { free, box } = plan;
  const [width, height] = [free.right - free.left, free.bottom - free.top];
  const radius = Math.min(width, height) / 2;
  const isBelow = box.top > free.bottom;
  const [across, down] = isBelow ? [0, height / 2 - radius] : [width / 2 - radius, 0];
  return {
    ...plan,
    radius,
    free: {
      left: free.left + across,
      right: free.right - across,
      top: free.top + down,
      bottom: free.bottom - down,
    },
    box: {
      left: box.left - across,
      right: box.right - across,
      top: box.top - down,
      bottom: box.bottom - down,
    },
  };
}

const labelShareMax = 0.26;
const legendShareMax = 0.36;
/** The space above and below the disc, in units of the text size. */
const verticalRoom = 1.9;

/**
 * Puts labels next to the slices of some parts, and lists the other parts in a legend. Returns the parts whose labels
 * do not fit.
 */
function layoutLabelled(
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

/** The largest disc that leaves room for labels at its sides, and for some above and below. */
function labelsBeside(slices: readonly Slice[], form: Form, free: Box, bounds: Box, chart: Chart): Labelled {
  const { sizes } = chart;
  const [width, height] = [free.right - free.left, free.bottom - free.top];
  const least = radiusMin(bounds, sizes);
  const leaders = sizes.fontSize * (leaderRoom + 0.5);
  const widthMax = Math.min(width * labelShareMax, width / 2 - least - leaders);
  const labels = slices.map((slice) => sliceLabel(slice, form, widthMax, sizes));
  const known = labels.filter((label) => label !== undefined);
  if (known.length < slices.length) return { tooLong: slices.filter((_, i) => labels[i] === undefined) };
  const labelWidth = max(known, (label) => widthOf(label, sizes)) ?? 0;
  const largest = Math.min(width / 2 - labelWidth - leaders, height / 2 - sizes.fontSize * verticalRoom);
  const radius = Math.max(least, largest);
  const disc = { x: (free.left + free.right) / 2, y: (free.top + free.bottom) / 2, radius };
  const placed = placeSliceLabels(known, form, chart.theme.ink, disc, free, sizes);
  return 'shapes' in placed ? { radius, shapes: placed.shapes } : { colliding: placed.unplaced };
}

function partsIn(slices: readonly Slice[]): ReadonlySet<Part> {
  return new Set(slices.flatMap(({ part }) => (part === undefined ? [] : [part])));
}

const holeShare = 0.6;

/** The disc of a pie in the middle of a space, the lines between its slices, and the sum in the hole of a donut. */
function discOf(slices: readonly Slice[], bounds: Box, radius: number, chart: Chart): readonly Shape[] {
  const wedges = slices.filter(({ from, to }) => to > from).map(({ from, to, fill }) => ({ from, to, fill }));
  const [x, y] = [(bounds.left + bounds.right) / 2, (bounds.top + bounds.bottom) / 2];
  const hole = chart.isDonut ? radius * holeShare : 0;
  const disc: Wedges = { kind: 'wedges', x, y, radius: Math.max(1, radius), hole, wedges };
  const sum = chart.isDonut && chart.sizes.showsText ? sumIn(disc, chart) : [];
  return [disc, separators(disc, chart), ...sum];
}

/** The sum of the values, if it fits into the hole. */
function sumIn({ x, y, hole }: Wedges, { series, numbers, theme, sizes }: Chart): readonly Texts[] {
  const text = shortNumber(sumOf(series), numbers);
  const widthMax = hole * 2 - sizes.fontSize * 2;
  const size = Math.min(sizes.title, (sizes.title * widthMax) / textWidth(text, sizes.title, 'bold'));
  if (size < sizes.fontSize) return [];
  const texts = [{ x, y: y + (size * capHeight) / 2, text }];
  return [{ kind: 'texts', size, weight: 'bold', fill: theme.ink.title, anchor: 'middle', texts }];
}

/** The disc is at least half as wide as the shorter side of the picture, if the title leaves this space. */
function radiusMin({ left, top, right, bottom }: Box, { width, height }: Sizes): number {
  return Math.min((right - left) / 2, (bottom - top) / 2, width / 4, height / 4);
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
