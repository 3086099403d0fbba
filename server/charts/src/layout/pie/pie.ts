import { max, sum } from 'd3-array';
import type { Chart } from '../../request/chart.ts';
import type { Shape } from '../../scene.ts';
import { legendGap, legendRow, placeLegend, planLegend, type LegendPlan } from '../legend/legend.ts';
import { namedWidth } from '../labels/named-value.ts';
import { lineHeight, type Box } from '../sizes.ts';
import { discOf } from './disc.ts';
import { labelRooms, placeSliceLabels, sliceLabel } from './slice-labels.ts';
import { partsOf, slicesOf, type Part } from './slices.ts';

const unnamedMax = 60;

/** Labels of a disc whose radius is at least this share of the shorter side need no comparison with a legend. */
const largeShare = 0.3;

/**
 * A disc with a label next to each slice, or with a legend at its right or below it. The layout that names all slices
 * with the largest disc is chosen. The disc shrinks before names are dropped.
 */
export function layoutPie(chart: Chart, bounds: Box): readonly Shape[] {
  const { sizes } = chart;
  const parts = partsOf(chart);
  const shorter = Math.min(bounds.right - bounds.left, bounds.bottom - bounds.top);
  let best: Candidate | undefined;
  for (const share of sizes.showsText ? shrinking : []) {
    const radiusMin = Math.min(shorter / 2, sizes.width / 4, sizes.height / 4) * share;
    const near = layoutLabelled(chart, parts, bounds, radiusMin, labelRooms.near);
    const far = near?.isLargest ? undefined : layoutLabelled(chart, parts, bounds, radiusMin, labelRooms.far);
    const labelled = (near?.radius ?? 0) >= (far?.radius ?? 0) * nearShare ? near : far;
    if (labelled !== undefined && labelled.radius >= shorter * largeShare) return labelled.draw();
    for (const each of [labelled, ...layoutListed(chart, parts, bounds, radiusMin)])
      if (each !== undefined && (best === undefined || isBetter(each, best))) best = each;
    if (best?.isComplete === true) break;
  }
  return best?.draw() ?? discOf(slicesOf(parts, unnamedMax, chart), bounds, shorter / 2, chart);
}

/** Labels near the disc are preferred if its radius is at least this share of that with labels far from it. */
const nearShare = 0.97;

/** The least radii to try, in this order, as shares of a quarter of the picture's shorter side. */
const shrinking = [1, 0.7, 0.45, 0.3] as const;

/** A way to draw a pie. */
interface Candidate {
  readonly radius: number;
  /** The number of letters that its names have. */
  readonly letters: number;
  /** True if every slice has its whole name. */
  readonly isComplete: boolean;
  /** True if the labels next to the disc have not made it smaller than it could be. */
  readonly isLargest?: boolean;
  readonly draw: () => readonly Shape[];
}

function isBetter(a: Candidate, b: Candidate): boolean {
  if (a.isComplete !== b.isComplete) return a.isComplete;
  if (!a.isComplete && a.letters !== b.letters) return a.letters > b.letters;
  return a.radius > b.radius;
}

const labelShareMax = 0.26;
/** What labels of several lines need above and below the disc beyond those of one, in units of the text size. */
const tallRoom = 0.6;

/** The largest disc that leaves room for labels next to all slices. Undefined if some labels have no place. */
function layoutLabelled(
  chart: Chart,
  parts: readonly Part[],
  bounds: Box,
  radiusMin: number,
  labelRoom: number,
): Candidate | undefined {
  const { fontSize } = chart.sizes;
  const [width, height] = [bounds.right - bounds.left, bounds.bottom - bounds.top];
  // Two columns of labels, of which slices on one side may need more than half.
  if (parts.length * fontSize * lineHeight > height * 1.4) return undefined;
  const slices = slicesOf(parts, parts.length, chart);
  const widthBeside = width / 2 - fontSize * (labelRoom + 0.5);
  const widthMax = Math.min(width * labelShareMax, widthBeside - radiusMin);
  const labels = slices.flatMap((slice) => sliceLabel(slice, widthMax, chart.sizes) ?? []);
  if (labels.length < slices.length) return undefined;
  const lines = labels.flatMap((label) => label.lines);
  const widest = max(lines, (line) => namedWidth(line, fontSize)) ?? 0;
  const room = fontSize * (labelRoom + (lines.length === labels.length ? 0 : tallRoom));
  const largest = Math.min(widthBeside - widest, height / 2 - room);
  const middle = { x: (bounds.left + bounds.right) / 2, y: (bounds.top + bounds.bottom) / 2 };
  // Above and below a smaller disc, labels have more room.
  for (const share of [1, 0.96, 0.92, 0.88, 0.84]) {
    const radius = Math.max(radiusMin, largest * share);
    const placed = placeSliceLabels(labels, { ...middle, radius, room: labelRoom }, bounds, chart);
    const draw = (): readonly Shape[] => [...discOf(slices, bounds, radius, chart), ...(placed ?? [])];
    if (placed !== undefined)
      return { radius, letters: Infinity, isComplete: true, isLargest: share === 1, draw };
  }
  return undefined;
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
    .map((room) => listed(planLegend(parts, bounds, room, chart), chart));
}

/** A disc in the middle of its space, with its legend next to it. */
function listed(plan: LegendPlan, chart: Chart): Candidate {
  const { slices, names, free } = plan;
  const { left, top, right, bottom } = plan.box;
  const [width, height] = [free.right - free.left, free.bottom - free.top];
  const radius = Math.min(width, height) / 2;
  const isBelow = top > free.bottom;
  const [across, down] = isBelow ? [0, height / 2 - radius] : [width / 2 - radius, 0];
  const box = { left: left - across, top: top - down, right: right - across, bottom: bottom - down };
  return {
    radius,
    letters: sum(names.flat(), ({ length }) => length),
    isComplete: plan.isWhole && slices.every(({ part }) => part !== undefined),
    draw: () => [...discOf(slices, free, radius, chart), ...placeLegend({ ...plan, box }, chart)],
  };
}
