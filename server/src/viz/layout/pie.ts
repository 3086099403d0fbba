import type { Chart } from '../chart.ts';
import { white } from '../color.ts';
import type { Rules, Shape, Wedge, Wedges } from '../scene.ts';
import { legendRow, legendWidth, placeLegend } from './legend.ts';
import { labelRoom, linesBeside, placeSliceLabels } from './slice-labels.ts';
import { slicesOf, type Slice } from './slices.ts';
import { lineHeight, type Box, type Sizes } from './sizes.ts';

const unnamedMax = 60;

/** A disc with its slices named beside it, and those too small for that in a legend. */
export function layoutPie(chart: Chart, room: Box, sizes: Sizes): readonly Shape[] {
  const [width, height] = [room.right - room.left, room.bottom - room.top];
  if (!sizes.showsText || Math.min(width, height) < sizes.text * 6) return layoutUnnamed(chart, room, sizes);
  return height > width * 1.2 ? layoutUpright(chart, room, sizes) : layoutBroad(chart, room, sizes);
}

/** Without room for any text, only the slices. */
function layoutUnnamed(chart: Chart, room: Box, sizes: Sizes): readonly Shape[] {
  return disc(slicesOf(chart, 0, unnamedMax), room, 0, sizes);
}

/** In a narrow picture, the disc above and a legend below. */
function layoutUpright(chart: Chart, room: Box, sizes: Sizes): readonly Shape[] {
  const [width, height] = [room.right - room.left, room.bottom - room.top];
  const [row, gap] = [sizes.text * legendRow, sizes.text * 2];
  const slices = slicesOf(chart, 0, Math.max(3, Math.floor((height - width - gap) / row)));
  const legendHeight = slices.length * row;
  const side = Math.min(width, height - gap - legendHeight);
  const top = room.top + (height - side - gap - legendHeight) / 2;
  return [
    ...disc(slices, { ...room, top, bottom: top + side }, 0, sizes),
    ...placeLegend(
      slices,
      { ...room, top: top + side + gap, bottom: top + side + gap + legendHeight },
      sizes,
    ),
  ];
}

/** Names beside the slices, and at the right a legend for the small ones. */
function layoutBroad(chart: Chart, room: Box, sizes: Sizes): readonly Shape[] {
  const lines = (room.bottom - room.top) / (sizes.text * lineHeight);
  const showsLegend = room.right - room.left >= sizes.text * 24;
  const slices = slicesOf(chart, Math.floor(lines * 1.4), showsLegend ? Math.floor(lines / 1.25) : 0);
  const legend = showsLegend ? slices.filter(({ place }) => place === 'legend') : [];
  const free = { ...room, right: room.right - legendWidth(legend, room, sizes) };
  const beside = slices.filter(({ place }) => place === 'beside');
  const names = labelRoom(beside, linesBeside(beside, free, sizes), free, sizes);
  const shapes = disc(slices, free, names, sizes);
  return [
    ...shapes,
    ...placeSliceLabels(beside, shapes[0], free, sizes),
    ...placeLegend(legend, { ...room, left: free.right + sizes.text }, sizes),
  ];
}

/** The largest circle that leaves room for the names at its sides, and half that much above and below. */
function disc(
  slices: readonly Slice[],
  room: Box,
  names: number,
  sizes: Sizes,
): readonly [disc: Wedges, partings: Rules] {
  const [width, height] = [room.right - room.left, room.bottom - room.top];
  const radius = Math.max(1, Math.min(width / 2 - names, height / 2 - (names > 0 ? sizes.text * 1.9 : 0)));
  const wedges = slices.filter(({ from, to }) => to > from).map(({ from, to, fill }) => ({ from, to, fill }));
  const [x, y] = [(room.left + room.right) / 2, (room.top + room.bottom) / 2];
  const shape: Wedges = { kind: 'wedges', x, y, radius, wedges };
  return [shape, partings(shape, sizes)];
}

/** White lines between slices, except where a slice is hardly wider than the line. */
function partings({ x, y, radius, wedges }: Wedges, { text }: Sizes): Rules {
  const width = Math.min(text * 0.13, radius * 0.05);
  const isWide = ({ from, to }: Wedge): boolean => (to - from) * radius > width * 4;
  const between = wedges.filter(
    (wedge, i) => wedges.length > 1 && isWide(wedge) && isWide(wedges.at(i - 1) ?? wedge),
  );
  const lines = between.map(({ from }) => [x, y, x + Math.sin(from) * radius, y - Math.cos(from) * radius]);
  return { kind: 'rules', stroke: white, width, lines };
}
