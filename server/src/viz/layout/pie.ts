import type { Chart } from '../chart.ts';
import type { Shape } from '../scene.ts';
import { discOf, radiusMin } from './disc.ts';
import { layoutLabelled } from './labelled-pie.ts';
import { legendGap, legendRow, placeLegend, planLegend, type LegendPlan } from './legend.ts';
import { largeParts, partsOf, slicesOf, type Part, type Slice } from './slices.ts';
import { lineHeight, type Box } from './sizes.ts';

const unnamedMax = 60;

/**
 * A disc with labels beside its slices. Slices that are small, have a long name, or that no leader line reaches, are listed
 * in a legend. If that would be most of them, the legend lists all.
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

/** The disc and a legend of all slices, at the right or below: where more slices, whole names and a larger disc have room. */
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

/** Moves the disc and its legend together into the middle of the space. */
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
