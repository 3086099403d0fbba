import type { Chart } from '../../request/chart.ts';
import type { Shape } from '../../scene.ts';
import { legendGap, legendRow, planLegend, type LegendPlan } from '../legend/legend.ts';
import type { Box } from '../sizes.ts';
import { discOf } from './disc.ts';
import { candidate, layoutLabelled, type Candidate } from './labelled-pie.ts';
import { partsOf, slicesOf, type Part, type Slice } from './slices.ts';

const unnamedMax = 60;

/** A disc of this share of the shorter side is large enough, so that no other way is tried. */
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
    if (labelled !== undefined && labelled.radius >= shorter * largeShare) return labelled.draw();
    const all = [
      ...(labelled === undefined ? [] : [labelled]),
      ...layoutListed(chart, parts, bounds, radiusMin),
    ];
    for (const each of all) if (best === undefined || isBetter(each, best)) best = each;
    if (best?.isComplete === true) break;
  }
  const unnamed = (): readonly Shape[] =>
    discOf(slicesOf(parts, new Set(), unnamedMax, chart), bounds, shorter / 2, chart);
  return (best?.draw ?? unnamed)();
}

/** The smallest discs, as shares of half the shorter side of the picture. */
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
  const rooms = {
    right: { widthMax: width - space, heightMax: height },
    below: { widthMax: width, heightMax: height - space },
  };
  return (['right', 'below'] as const)
    .filter(
      (place) => rooms[place].widthMax >= fontSize * 4 && rooms[place].heightMax >= fontSize * legendRow,
    )
    .map((place) => {
      const divide = (legendMax: number): readonly Slice[] => slicesOf(parts, new Set(), legendMax, chart);
      return centered(planLegend(place, divide, bounds, fontSize, rooms[place]), chart);
    });
}

/** Centres the disc and its legend together. */
function centered(plan: LegendPlan, chart: Chart): Candidate {
  const { free, box } = plan;
  const [width, height] = [free.right - free.left, free.bottom - free.top];
  const radius = Math.min(width, height) / 2;
  const isBelow = box.top > free.bottom;
  const [across, down] = isBelow ? [0, height / 2 - radius] : [width / 2 - radius, 0];
  const centeredPlan = {
    ...plan,
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
  return candidate(centeredPlan, radius, chart);
}
