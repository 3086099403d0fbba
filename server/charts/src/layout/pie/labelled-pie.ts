import { max } from 'd3-array';
import type { Chart } from '../../request/chart.ts';
import type { Shape } from '../../scene.ts';
import { placeLegend, planLegend, type LegendPlan } from '../legend/legend.ts';
import { lineHeight, type Box } from '../sizes.ts';
import { discOf } from './disc.ts';
import { leaderRoom, placeSliceLabels, sliceLabel } from './slice-labels.ts';
import { widest } from '../../text/text-width.ts';
import { bySize, largeParts, slicesOf, type Part, type Slice } from './slices.ts';

/** A way to draw a pie. */
export interface Candidate {
  readonly radius: number;
  /** `named` counts slices with a name. `preference` is the factor by which the disc counts as larger. */
  readonly named: number;
  readonly preference: number;
  /** True if every slice has its whole name. */
  readonly isComplete: boolean;
  readonly draw: () => readonly Shape[];
}

/** Puts labels next to as many slices as possible. Undefined if that is less than half of the large ones. */
export function layoutLabelled(
  chart: Chart,
  parts: readonly Part[],
  bounds: Box,
  radiusMin: number,
): Candidate | undefined {
  const lines = (bounds.bottom - bounds.top) / (chart.sizes.fontSize * lineHeight);
  let beside: ReadonlySet<Part> = largeParts(parts, Math.floor(lines * 1.4));
  const besideMin = Math.max(1, beside.size / 2);
  while (beside.size >= besideMin) {
    const result = labelSome(chart, parts, beside, bounds, radiusMin);
    if ('draw' in result) return result;
    beside = beside.difference(result.unplaced);
  }
  return undefined;
}

/** Labels next to slices are easier to read than a legend, even if the disc is smaller by this factor. */
const labelPreference = 1.4;

/** A disc with its legend, and with the labels next to its slices. */
export function candidate(
  plan: LegendPlan,
  radius: number,
  chart: Chart,
  labels: readonly Shape[] = [],
): Candidate {
  const { slices, legend, names, isWhole, free } = plan;
  return {
    radius,
    named: slices.length - names.filter(([name]) => name === '').length,
    preference: legend.length === 0 ? labelPreference : 1,
    isComplete: isWhole && slices.every(({ part }) => part !== undefined),
    draw: () => [...discOf(slices, free, radius, chart), ...labels, ...placeLegend(plan, chart)],
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
function labelSome(
  chart: Chart,
  parts: readonly Part[],
  beside: ReadonlySet<Part>,
  bounds: Box,
  radiusMin: number,
): Candidate | { readonly unplaced: ReadonlySet<Part> } {
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
      : { widthMax: width, heightMax: height - radiusMin * 2 - sizes.fontSize * 5 },
  );
  if (!plan.isWhole) return { unplaced: beside };
  const labelled = plan.slices.filter(({ place }) => place === 'beside');
  const placed = labelsBeside(labelled, plan.free, radiusMin, chart);
  if ('shapes' in placed) return candidate(plan, placed.radius, chart, placed.shapes);
  return { unplaced: new Set(placed.unplaced.flatMap(({ part = [] }) => part)) };
}

/** The largest disc that leaves room for labels at its sides, and for some above and below. */
function labelsBeside(
  slices: readonly Slice[],
  free: Box,
  radiusMin: number,
  chart: Chart,
): { readonly radius: number; readonly shapes: readonly Shape[] } | { readonly unplaced: readonly Slice[] } {
  const { sizes } = chart;
  const [width, height] = [free.right - free.left, free.bottom - free.top];
  const leaders = sizes.fontSize * (leaderRoom + 0.5);
  const widthMax = Math.min(width * labelShareMax, width / 2 - radiusMin - leaders);
  const labels = slices.map((slice) => sliceLabel(slice, widthMax, sizes));
  const known = labels.filter((label) => label !== undefined);
  if (known.length < slices.length) return { unplaced: slices.filter((_, i) => labels[i] === undefined) };
  const labelWidth = max(known, ({ lines }) => widest(lines, sizes.fontSize)) ?? 0;
  const largest = Math.min(width / 2 - labelWidth - leaders, height / 2 - sizes.fontSize * verticalRoom);
  const middle = { x: (free.left + free.right) / 2, y: (free.top + free.bottom) / 2 };
  let colliding: readonly Slice[] = [];
  // Above and below a smaller disc, labels have more room.
  for (const share of [1, 0.92, 0.84]) {
    const radius = Math.max(radiusMin, largest * share);
    const placed = placeSliceLabels(known, chart.theme.ink, { ...middle, radius }, free, sizes);
    if ('shapes' in placed) return { radius, shapes: placed.shapes };
    colliding = placed.unplaced;
  }
  // Of the slices whose labels have no place, the smallest loses its label.
  return { unplaced: bySize(slices.filter((slice) => colliding.includes(slice))).slice(-1) };
}
