import type { Chart } from '../chart.ts';
import type { Color } from '../color.ts';
import type { Bar, Bars, Shape, Texts } from '../scene.ts';
import type { BandScale } from './categories.ts';
import { byColor } from './by-color.ts';
import { columns } from './columns.ts';
import { barExtent, type Extremes } from './extent.ts';
import { shortNumber } from './numbers.ts';
import { placePlot, yAt, type Plot } from './plot.ts';
import { capHeight, type Box, type Sizes } from './sizes.ts';
import { textWidth } from './text-width.ts';

const barShare = 0.72;
const valueSize = 0.92;

/** Bars from zero with even gaps, labelled with their values if the labels fit. */
export function layoutBars(chart: Chart, bounds: Box, sizes: Sizes, extremes: Extremes): readonly Shape[] {
  const { points, colors, theme } = chart;
  const values = valuesThatFit(chart, bounds, sizes);
  const plot = placePlot(chart, bounds, sizes, {
    extent: barExtent(extremes),
    bandScaleIn: (left, right) => bands(points.length, left, right),
    above: values.length > 0,
    below: values.length > 0 && points.some(({ value }) => value < 0),
  });
  const isDense = plot.bandScale.step < 4;
  const bars = isDense ? columns(points, plot) : points.map(({ value }, i) => barAt(plot, sizes, i, value));
  const radius = Math.min(sizes.fontSize * 0.25, (bars[0]?.width ?? 0) * 0.2);
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

/** A value that is not zero is at least one pixel high. */
function barAt(plot: Plot, { fontSize }: Sizes, index: number, value: number): Bar {
  const { bandScale, base } = plot;
  const width = Math.round(Math.min(bandScale.step * barShare, fontSize * 9));
  const height = value === 0 ? 0 : Math.max(1, Math.abs(Math.round(yAt(plot, value)) - base));
  return {
    x: Math.round(bandScale.start + index * bandScale.step - width / 2),
    y: value < 0 ? base : base - height,
    width,
    height,
    rounded: value < 0 ? 'bottom' : 'top',
  };
}

/** The formatted values if all of them fit above their bars, otherwise none. */
function valuesThatFit({ points, numbers }: Chart, bounds: Box, { fontSize, showsText }: Sizes): string[] {
  const step = (bounds.right - bounds.left - fontSize * 4) / points.length;
  if (!showsText || step < fontSize * 1.2 || bounds.bottom - bounds.top < fontSize * 8) return [];
  const values = points.map(({ value }) => shortNumber(value, numbers));
  return values.every((value) => textWidth(value, fontSize * valueSize) <= step - fontSize * 0.3)
    ? values
    : [];
}

function valueTexts(
  values: readonly string[],
  bars: readonly Bar[],
  { fontSize }: Sizes,
  fill: Color,
): readonly Texts[] {
  if (values.length === 0) return [];
  const size = fontSize * valueSize;
  const texts = bars.map(({ x, y, width, height, rounded }, i) => ({
    x: x + width / 2,
    y: rounded === 'top' ? y - fontSize * 0.4 : y + height + fontSize * 0.4 + size * capHeight,
    text: values[i] ?? '',
  }));
  return [{ kind: 'texts', size, weight: 'regular', fill, anchor: 'middle', angle: 0, texts }];
}
