import type { Chart } from '../chart.ts';
import type { Color } from '../color.ts';
import type { Anchor, Bar, Bars, Shape, Text, Texts } from '../scene.ts';
import { barEnd, barShape } from './bar-shape.ts';
import type { BandScale } from './band-scale.ts';
import { byColor } from './by-color.ts';
import { columns } from './columns.ts';
import { barExtent, type Extremes } from './extent.ts';
import { notationOf } from './numbers.ts';
import { placePlot, type Plot } from './plot.ts';
import { capHeight, type Box, type Sizes } from './sizes.ts';
import { textWidth } from './text-width.ts';

const barShare = 0.72;
const valueSize = 0.92;

/** Bars from zero with even gaps, labelled with their values if the labels fit. */
export function layoutBars(chart: Chart, bounds: Box, sizes: Sizes, extremes: Extremes): readonly Shape[] {
  const { points, colors, theme } = chart;
  const { texts: values, unit } = valuesThatFit(chart, bounds, sizes);
  const room = valueRoom(values, chart, sizes);
  const plot = placePlot(chart, bounds, sizes, {
    extent: barExtent(extremes),
    bandScaleIn: (left, right) => bands(points.length, left, right),
    above: room,
    below: points.some(({ value }) => value < 0) ? room : 0,
    unit,
  });
  const isDense = plot.bandScale.step < 4;
  const bars = isDense ? columns(points, plot) : points.map(({ value }, i) => barAt(plot, sizes, i, value));
  const breadth = (chart.isHorizontal ? bars[0]?.height : bars[0]?.width) ?? 0;
  const radius = Math.min(sizes.fontSize * 0.25, breadth * 0.2);
  const fills = byColor(bars, colors.length > 0 ? colors : [theme.palette[0]]);
  const shapes = fills.map(([fill, each]): Bars => ({ kind: 'bars', fill, radius, bars: each }));
  return [...plot.grid, ...shapes, ...plot.axes, ...valueTexts(values, bars, sizes, theme.ink.value)];
}

/** Bands are whole pixels wide if that wastes little, so that every bar is equally sharp. */
export function bands(count: number, left: number, right: number): BandScale {
  const exact = (right - left) / count;
  const step = Math.floor(exact) >= exact * 0.96 ? Math.floor(exact) : exact;
  return { start: (left + right - step * (count - 1)) / 2, step };
}

function barAt(plot: Plot, { fontSize }: Sizes, index: number, value: number): Bar {
  const { bandScale, base } = plot;
  const breadth = Math.round(Math.min(bandScale.step * barShare, fontSize * 9));
  const start = Math.round(bandScale.start + index * bandScale.step - breadth / 2);
  return barShape(plot, { start, breadth, from: base, to: barEnd(plot, value) });
}

/** The formatted values if all of them fit at the ends of their bars, otherwise none. */
function valuesThatFit(
  { points, numbers, isHorizontal }: Chart,
  bounds: Box,
  { fontSize, showsText }: Sizes,
): { readonly texts: readonly string[]; readonly unit?: number } {
  const [width, height] = [bounds.right - bounds.left, bounds.bottom - bounds.top];
  const step = (isHorizontal ? height - fontSize * 3 : width - fontSize * 4) / points.length;
  if (!showsText || step < fontSize * 1.2 || height < fontSize * 8) return { texts: [] };
  const values = points.map(({ value }) => value);
  const { unit, write } = notationOf(values, numbers);
  const texts = values.map(write);
  const widthMax = isHorizontal ? width * 0.2 : step - fontSize * 0.3;
  const fit = texts.every((text) => textWidth(text, fontSize * valueSize) <= widthMax);
  return fit ? { texts, unit } : { texts: [] };
}

/** The space that the values need beyond the ends of the longest bars. */
function valueRoom(values: readonly string[], { isHorizontal }: Chart, { fontSize }: Sizes): number {
  if (values.length === 0) return 0;
  if (!isHorizontal) return fontSize * 1.5;
  return fontSize * 0.6 + Math.max(...values.map((value) => textWidth(value, fontSize * valueSize)));
}

function valueTexts(
  values: readonly string[],
  bars: readonly Bar[],
  { fontSize }: Sizes,
  fill: Color,
): readonly Texts[] {
  const size = fontSize * valueSize;
  const style = { kind: 'texts', size, weight: 'regular', fill, angle: 0 } as const;
  const byAnchor = new Map<Anchor, Text[]>();
  values.forEach((text, i) => {
    const bar = bars[i];
    if (bar === undefined) return;
    const { anchor, x, y } = placeAtEnd(bar, fontSize * 0.4, size * capHeight);
    const anchored = byAnchor.get(anchor) ?? [];
    anchored.push({ x, y, text });
    byAnchor.set(anchor, anchored);
  });
  return [...byAnchor].map(([anchor, anchored]) => ({ ...style, anchor, texts: anchored }));
}

function placeAtEnd({ x, y, width, height, rounded }: Bar, gap: number, textHeight: number): EndPlace {
  const middle = { x: x + width / 2, y: y + (height + textHeight) / 2 };
  switch (rounded) {
    case 'left':
      return { anchor: 'end', x: x - gap, y: middle.y };
    case 'right':
      return { anchor: 'start', x: x + width + gap, y: middle.y };
    case 'bottom':
      return { anchor: 'middle', x: middle.x, y: y + height + gap + textHeight };
    default:
      return { anchor: 'middle', x: middle.x, y: y - gap };
  }
}

interface EndPlace {
  readonly anchor: Anchor;
  readonly x: number;
  readonly y: number;
}
