import type { Chart } from '../chart.ts';
import { white } from '../color.ts';
import type { Rules, Shape, Wedge, Wedges } from '../scene.ts';
import { legendWidth, placeLegend } from './legend.ts';
import { labelRoom, placeSliceLabels } from './slice-labels.ts';
import { slicesOf, type Slice } from './slices.ts';
import { lineHeight, type Box, type Sizes } from './sizes.ts';

/** A disc whose slices are named beside it; a legend names the slices that are too small for that. */
export function layoutPie(chart: Chart, room: Box, sizes: Sizes): readonly Shape[] {
  const { text } = sizes;
  const lines = (room.bottom - room.top) / (text * lineHeight);
  const showsLabels = sizes.showsText && lines >= 6 && room.right - room.left >= text * 18;
  const showsLegend = sizes.showsText && room.right - room.left >= text * 24;
  const besideMax = showsLabels ? Math.floor(lines * 1.4) : 0;
  const legendMax = showsLegend ? Math.floor(lines / 1.25) : 0;
  const slices = slicesOf(chart, besideMax, legendMax);
  const legend = showsLegend ? slices.filter(({ place }) => place === 'legend') : [];
  const free = { ...room, right: room.right - legendWidth(legend, room, sizes) };
  const disc = discIn(free, slices, showsLabels, sizes);
  return [
    disc,
    partings(disc, sizes),
    ...(showsLabels ? placeSliceLabels(slices, disc, free, sizes) : []),
    ...placeLegend(legend, room, sizes),
  ];
}

/** The largest circle that leaves room for the labels around it. */
function discIn(room: Box, slices: readonly Slice[], showsLabels: boolean, sizes: Sizes): Wedges {
  const [width, height] = [room.right - room.left, room.bottom - room.top];
  const beside = showsLabels ? Math.min(labelRoom(slices, sizes), width * 0.32) : 0;
  const above = showsLabels ? sizes.text * 1.3 : 0;
  const radius = Math.max(1, Math.min(width / 2 - beside, height / 2 - above));
  const wedges = slices.filter(({ share }) => share > 0).map(({ from, to, fill }) => ({ from, to, fill }));
  return { kind: 'wedges', x: (room.left + room.right) / 2, y: (room.top + room.bottom) / 2, radius, wedges };
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
