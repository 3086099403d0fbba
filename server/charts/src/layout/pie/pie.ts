import type { Chart } from '../../request/chart.ts';
import type { Shape } from '../../scene.ts';
import { legendGap, legendRow, planLegend, type LegendPlan } from '../legend/legend.ts';
import type { Box } from '../sizes.ts';
import { discOf } from './disc.ts';
import { candidate, layoutLabelled, type Candidate } from './labelled-pie.ts';
import { partsOf, slicesOf, type Part, type Slice } from './slices.ts';

const unnamedMax = 60;

/** If the radius is at least this share of the shorter side, no way with a larger disc is tried. */
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
    const isLarge = labelled !== undefined && labelled.radius >= shorter * largeShare;
    if (isLarge && labelled.isComplete) return labelled.draw();
    const listed = layoutListed(chart, parts, bounds, radiusMin);
    if (isLarge && !listed.some(({ isComplete }) => isComplete)) return labelled.draw();
    for (const each of [labelled, ...listed])
      if (each !== undefined && (best === undefined || isBetter(each, best))) best = each;
    if (best?.isComplete === true) break;
  }
  return best?.draw() ?? discOf(slicesOf(parts, new Set(), unnamedMax, chart), bounds, shorter / 2, chart);
}

/** The least radius of the disc, as a share of a quarter of the picture's shorter side. Tried in this order. */
const shrinking = [1, 0.7, 0.45, 0.3] as const;

function isBetter(a: Candidate, b: Candidate): boolean {
  if (a.isComplete !== b.isComplete) return a.isComplete;
  if (!a.isComplete && a.named !== b.named) return a.named > b.named;
  return a.radius * a.preference > b.radius * b.preference;
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
    { place: 'right', widthMax: width - space, heightMax: height },
    { place: 'below', widthMax: width, heightMax: height - space },
  ] as const;
  const divide = (legendMax: number): readonly Slice[] => slicesOf(parts, new Set(), legendMax, chart);
  return rooms
    .filter(({ widthMax, heightMax }) => widthMax >= fontSize * 4 && heightMax >= fontSize * legendRow)
    .map((room) => centered(planLegend(room.place, divide, bounds, fontSize, room), chart));
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
