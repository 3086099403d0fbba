import type { Chart } from '../chart.ts';
import type { Color } from '../color.ts';
import type { Rules, Shape, Wedge, Wedges } from '../scene.ts';
import { legendRow, legendWidth, placeLegend } from './legend.ts';
import { labelForm, labelWidth, placeSliceLabels } from './slice-labels.ts';
import { slicesOf, type Slice } from './slices.ts';
import { lineHeight, type Box, type Sizes } from './sizes.ts';

const unnamedMax = 60;

/** A disc with labels beside its slices; slices too small for a label are listed in a legend. */
export function layoutPie(chart: Chart, bounds: Box, sizes: Sizes): readonly Shape[] {
  const [width, height] = [bounds.right - bounds.left, bounds.bottom - bounds.top];
  if (!sizes.showsText || Math.min(width, height) < sizes.fontSize * 6)
    return layoutUnnamed(chart, bounds, sizes);
  return height > width * 1.2 ? layoutUpright(chart, bounds, sizes) : layoutBroad(chart, bounds, sizes);
}

/** Only the slices, if no text has room. */
function layoutUnnamed(chart: Chart, bounds: Box, sizes: Sizes): readonly Shape[] {
  return disc(slicesOf(chart, 0, unnamedMax), bounds, 0, sizes, chart.theme.paper);
}

/** In a narrow picture, the disc above and a legend below. */
function layoutUpright(chart: Chart, bounds: Box, sizes: Sizes): readonly Shape[] {
  const [width, height] = [bounds.right - bounds.left, bounds.bottom - bounds.top];
  const [row, gap] = [sizes.fontSize * legendRow, sizes.fontSize * 2];
  const slices = slicesOf(chart, 0, Math.max(3, Math.floor((height - width - gap) / row)));
  const legendHeight = slices.length * row;
  const side = Math.min(width, height - gap - legendHeight);
  const top = bounds.top + (height - side - gap - legendHeight) / 2;
  return [
    ...disc(slices, { ...bounds, top, bottom: top + side }, 0, sizes, chart.theme.paper),
    ...placeLegend(
      slices,
      chart.theme.ink,
      { ...bounds, top: top + side + gap, bottom: top + side + gap + legendHeight },
      sizes,
    ),
  ];
}

/** Labels beside the slices, and a legend for the small slices at the right. */
function layoutBroad(chart: Chart, bounds: Box, sizes: Sizes): readonly Shape[] {
  const lines = (bounds.bottom - bounds.top) / (sizes.fontSize * lineHeight);
  const showsLegend = bounds.right - bounds.left >= sizes.fontSize * 24;
  const slices = slicesOf(chart, Math.floor(lines * 1.4), showsLegend ? Math.floor(lines / 1.25) : 0);
  const legend = showsLegend ? slices.filter(({ place }) => place === 'legend') : [];
  const free = { ...bounds, right: bounds.right - legendWidth(legend, bounds, sizes) };
  const beside = slices.filter(({ place }) => place === 'beside');
  const names = labelWidth(beside, labelForm(beside, free, sizes), free, sizes);
  const shapes = disc(slices, free, names, sizes, chart.theme.paper);
  return [
    ...shapes,
    ...placeSliceLabels(beside, chart.theme.ink, shapes[0], free, sizes),
    ...placeLegend(legend, chart.theme.ink, { ...bounds, left: free.right + sizes.fontSize }, sizes),
  ];
}

/** The largest circle that leaves room for the names at its sides, and half that much above and below. */
function disc(
  slices: readonly Slice[],
  bounds: Box,
  names: number,
  sizes: Sizes,
  paper: Color,
): readonly [disc: Wedges, separators: Rules] {
  const [width, height] = [bounds.right - bounds.left, bounds.bottom - bounds.top];
  const radius = Math.max(
    1,
    Math.min(width / 2 - names, height / 2 - (names > 0 ? sizes.fontSize * 1.9 : 0)),
  );
  const wedges = slices.filter(({ from, to }) => to > from).map(({ from, to, fill }) => ({ from, to, fill }));
  const [x, y] = [(bounds.left + bounds.right) / 2, (bounds.top + bounds.bottom) / 2];
  const shape: Wedges = { kind: 'wedges', x, y, radius, wedges };
  return [shape, separators(shape, sizes, paper)];
}

/** Lines of the background between slices, except beside slices that are hardly wider than the line. */
function separators({ x, y, radius, wedges }: Wedges, { fontSize }: Sizes, stroke: Color): Rules {
  const width = Math.min(fontSize * 0.13, radius * 0.05);
  const isWide = ({ from, to }: Wedge): boolean => (to - from) * radius > width * 4;
  const between = wedges.filter(
    (wedge, i) => wedges.length > 1 && isWide(wedge) && isWide(wedges.at(i - 1) ?? wedge),
  );
  const lines = between.map(({ from }) => [x, y, x + Math.sin(from) * radius, y - Math.cos(from) * radius]);
  return { kind: 'rules', stroke, width, lines };
}
