import { max, sum } from 'd3-array';
import type { Chart } from '../../request/chart.ts';
import type { Shape } from '../../scene.ts';
import {
  isShownWhole,
  legendGap,
  legendRow,
  placeLegend,
  planLegend,
  type LegendPlan,
  type LegendRoom,
} from '../legend/legend.ts';
import { namedWidth } from '../labels/named-value.ts';
import { lineHeight, type Box } from '../sizes.ts';
import { discOf } from './disc.ts';
import { leaderRoom, placeSliceLabels, shortLabel, tallLabel, type SliceLabel } from './slice-labels.ts';
import { bySize, largeParts, partsOf, slicesOf, type Part, type Slice } from './slices.ts';
import { ellipsis } from '../../text/text-fit.ts';

const unnamedMax = 60;

/** Labels of a disc whose radius is at least this share of the shorter side need no comparison with a legend. */
const largeShare = 0.3;

/**
 * A disc with labels next to its slices, or with a legend at its right or below it. The layout that names all slices
 * with the largest disc is chosen. The disc shrinks before names are dropped. A legend lists the slices that get no
 * label: small slices, slices with a long name, and slices that no leader line reaches.
 */
export function layoutPie(chart: Chart, bounds: Box): readonly Shape[] {
  const { sizes } = chart;
  const parts = partsOf(chart);
  const shorter = Math.min(bounds.right - bounds.left, bounds.bottom - bounds.top);
  let best: Candidate | undefined;
  for (const share of sizes.showsText ? shrinking : []) {
    const radiusMin = Math.min(shorter / 2, sizes.width / 4, sizes.height / 4) * share;
    const labelled = layoutLabelled(chart, parts, bounds, radiusMin);
    if (labelled?.isComplete === true && labelled.radius >= shorter * largeShare) return labelled.draw();
    for (const each of [labelled, ...layoutListed(chart, parts, bounds, radiusMin)])
      if (each !== undefined && (best === undefined || isBetter(each, best))) best = each;
    if (best?.isComplete === true) break;
  }
  return best?.draw() ?? discOf(slicesOf(parts, new Set(), unnamedMax, chart), bounds, shorter / 2, chart);
}

/** The least radii to try, in this order, as shares of a quarter of the picture's shorter side. */
const shrinking = [1, 0.7, 0.45, 0.3] as const;

/** A way to draw a pie. */
interface Candidate {
  readonly radius: number;
  /** The number of slices with a name. A shortened name counts by its share of letters. */
  readonly named: number;
  /** True if every slice has its whole name. */
  readonly isComplete: boolean;
  readonly draw: () => readonly Shape[];
}

function isBetter(a: Candidate, b: Candidate): boolean {
  if (a.isComplete !== b.isComplete) return a.isComplete;
  if (!a.isComplete && a.named !== b.named) return a.named > b.named;
  return a.radius > b.radius;
}

/** Puts labels next to as many slices as possible. Undefined if that is less than half of the large ones. */
function layoutLabelled(
  chart: Chart,
  parts: readonly Part[],
  bounds: Box,
  radiusMin: number,
): Candidate | undefined {
  const { fontSize } = chart.sizes;
  const [width, height] = [bounds.right - bounds.left, bounds.bottom - bounds.top];
  const room: LegendRoom =
    width >= height * 1.2
      ? { side: 'right', widthMax: width * legendShareMax, heightMax: height }
      : { side: 'below', widthMax: width, heightMax: height - radiusMin * 2 - fontSize * 5 };
  const lines = height / (fontSize * lineHeight);
  let beside: ReadonlySet<Part> = largeParts(parts, Math.floor(lines * 1.4));
  const besideMin = Math.max(1, beside.size / 2);
  while (beside.size >= besideMin) {
    const plan = planLegend(parts, beside, bounds, room, chart);
    if (!plan.isWhole) return undefined;
    const result = labelsBeside(plan, radiusMin, chart);
    if ('draw' in result) return result;
    beside = beside.difference(new Set(result.unplaced.map(({ part }) => part)));
  }
  return undefined;
}

const labelShareMax = 0.26;
const legendShareMax = 0.36;
/** The space above and below the disc for labels of one and of several lines, in units of the text size. */
const shortRoom = 1.3;
const tallRoom = 1.9;
/** Labels of one line are chosen if the disc has at least this share of its size with labels of several lines. */
const shortShare = 0.9;

/**
 * Returns the largest disc that leaves room for labels at its sides, and for some above and below. If the labels do not
 * fit, returns the slices that lose their labels.
 */
function labelsBeside(
  plan: LegendPlan,
  radiusMin: number,
  chart: Chart,
): Candidate | { readonly unplaced: readonly Slice[] } {
  const { sizes } = chart;
  const { free } = plan;
  const slices = plan.slices.filter(({ place }) => place === 'beside');
  const [width, height] = [free.right - free.left, free.bottom - free.top];
  const widthBeside = width / 2 - sizes.fontSize * (leaderRoom + 0.5);
  const widestOf = (labels: readonly SliceLabel[]): number =>
    max(labels, ({ lines }) => max(lines, (line) => namedWidth(line, sizes.fontSize))) ?? 0;
  const short = slices.map((slice) => shortLabel(slice, sizes));
  // Labels of one line are wider. They are easier to read, so the disc may be a little smaller.
  const isShort = (height / 2 - sizes.fontSize * tallRoom) * shortShare <= widthBeside - widestOf(short);
  const widthMax = Math.min(width * labelShareMax, widthBeside - radiusMin);
  const labels = isShort ? short : slices.map((slice) => tallLabel(slice, widthMax, sizes));
  const known = labels.filter((label) => label !== undefined);
  if (known.length < slices.length) return { unplaced: slices.filter((_, i) => labels[i] === undefined) };
  const room = sizes.fontSize * (isShort ? shortRoom : tallRoom);
  const largest = Math.min(widthBeside - widestOf(known), height / 2 - room);
  const middle = { x: (free.left + free.right) / 2, y: (free.top + free.bottom) / 2 };
  let colliding: readonly Slice[] = [];
  // Above and below a smaller disc, labels have more room.
  for (const share of [1, 0.92, 0.84]) {
    const radius = Math.max(radiusMin, largest * share);
    const placed = placeSliceLabels(known, { ...middle, radius }, free, chart);
    if ('shapes' in placed) return candidate(plan, radius, chart, placed.shapes);
    colliding = placed.unplaced;
  }
  // Of the slices whose labels have no place, the smallest loses its label.
  return { unplaced: bySize(colliding).slice(-1) };
}

/** The disc and a legend of all slices, at the right or at the bottom. */
function layoutListed(
  chart: Chart,
  parts: readonly Part[],
  bounds: Box,
  radiusMin: number,
): readonly Candidate[] {
  const { fontSize } = chart.sizes;
  const [width, height] = [bounds.right - bounds.left, bounds.bottom - bounds.top];
  const space = radiusMin * 2 + fontSize * legendGap;
  const rooms = [
    { side: 'right', widthMax: width - space, heightMax: height },
    { side: 'below', widthMax: width, heightMax: height - space },
  ] as const;
  return rooms
    .filter(({ widthMax, heightMax }) => widthMax >= fontSize * 4 && heightMax >= fontSize * legendRow)
    .map((room) => centered(planLegend(parts, new Set(), bounds, room, chart), chart));
}

/** Moves the legend to the disc, which stays in the middle of its space. */
function centered(plan: LegendPlan, chart: Chart): Candidate {
  const { left, top, right, bottom } = plan.box;
  const [width, height] = [plan.free.right - plan.free.left, plan.free.bottom - plan.free.top];
  const radius = Math.min(width, height) / 2;
  const isBelow = top > plan.free.bottom;
  const [across, down] = isBelow ? [0, height / 2 - radius] : [width / 2 - radius, 0];
  const box = { left: left - across, top: top - down, right: right - across, bottom: bottom - down };
  return candidate({ ...plan, box }, radius, chart);
}

/** A disc with its legend, and with the labels next to its slices. */
function candidate(plan: LegendPlan, radius: number, chart: Chart, labels: readonly Shape[] = []): Candidate {
  const { slices, legend, names, isWhole, free } = plan;
  return {
    radius,
    named: slices.length - sum(legend, ({ label }, i) => 1 - shareKept(label, names[i] ?? [])),
    isComplete: isWhole && slices.every(({ part }) => part !== undefined),
    draw: () => [...discOf(slices, free, radius, chart), ...labels, ...placeLegend(plan, chart)],
  };
}

/** The share of a name's letters that a legend shows. */
function shareKept(label: string, lines: readonly string[]): number {
  return isShownWhole(label, lines) ? 1 : ((lines[0] ?? '').length - ellipsis.length) / label.length;
}
