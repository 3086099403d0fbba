import type { Chart } from '../chart.ts';
import type { Shape } from '../scene.ts';
import { discOf } from './disc.ts';
import { layoutLabelled } from './labelled-pie.ts';
import { layoutListed } from './listed-pie.ts';
import { largeParts, partsOf, slicesOf, type Part } from './slices.ts';
import { lineHeight, type Box, type Sizes } from './sizes.ts';

const unnamedMax = 60;

/**
 * A disc with labels beside its slices. Slices that are small, have a long name, or that no leader line reaches, are listed
 * in a legend. If that would be most of them, the legend lists all.
 */
export function layoutPie(chart: Chart, bounds: Box, sizes: Sizes): readonly Shape[] {
  const parts = partsOf(chart);
  const [width, height] = [bounds.right - bounds.left, bounds.bottom - bounds.top];
  const unnamed = (): readonly Shape[] =>
    discOf(slicesOf(parts, new Set(), unnamedMax, chart), bounds, Math.min(width, height) / 2, chart, sizes);
  if (!sizes.showsText || Math.min(width, height) < sizes.fontSize * 6) return unnamed();
  const lines = height / (sizes.fontSize * lineHeight);
  let beside: ReadonlySet<Part> =
    height > width * 1.2 ? new Set() : largeParts(parts, Math.floor(lines * 1.4));
  const besideMin = Math.max(1, beside.size / 2);
  while (beside.size >= besideMin) {
    const result = layoutLabelled({ chart, parts, beside, bounds, sizes });
    if ('shapes' in result) return result.shapes;
    beside = beside.difference(result.unplaced);
  }
  return layoutListed(chart, parts, bounds, sizes) ?? unnamed();
}
