import type { Chart } from '../chart.ts';
import type { Texts } from '../scene.ts';
import type { BandScale } from './band-scale.ts';
import { roundedUp } from './categories.ts';
import { capHeight, lineHeight, type Box, type Sizes } from './sizes.ts';
import { wrapped } from './text-fit.ts';
import { timeThinning } from './time-axis.ts';
import { timeTexts } from './time-texts.ts';
import { textWidth } from './text-width.ts';

/** The largest share of the width that labels at the left take. */
const shareMax = 0.45;

interface Placed {
  /** Where the plot may begin. */
  readonly right: number;
  readonly shapes: readonly Texts[];
}

/**
 * Writes the labels at the left of the plot: whole, or in as many lines as their bands have room for. Only where bands are
 * lower than a line, every k-th label is written.
 */
export function placeCategoriesBeside(chart: Chart, bandScale: BandScale, bounds: Box, sizes: Sizes): Placed {
  const { points, theme } = chart;
  const { fontSize, showsText } = sizes;
  if (!showsText || points.every(({ label }) => label === '')) return { right: bounds.left, shapes: [] };
  const { start, step } = bandScale;
  const size = fontSize * 0.96;
  const least = (size * lineHeight) / step;
  const every = chart.times === undefined ? roundedUp(least) : timeThinning(least);
  const linesMax = Math.max(1, Math.floor(step / (size * lineHeight)));
  const widthMax = (bounds.right - bounds.left) * shareMax;
  const labels = labelsShown(chart, every).map(({ label, index }) => ({
    index,
    lines: wrapped(label, widthMax, linesMax, { size }),
  }));
  const width = Math.max(...labels.flatMap(({ lines }) => lines.map((line) => textWidth(line, size))));
  const right = bounds.left + width;
  const texts = labels.flatMap(({ index, lines }) => {
    const first = start + index * step + (size * capHeight - (lines.length - 1) * size * lineHeight) / 2;
    return lines.map((text, i) => ({ x: right, y: first + i * size * lineHeight, text }));
  });
  return {
    right: right + fontSize * 0.8,
    shapes: [
      { kind: 'texts', size, weight: 'regular', fill: theme.ink.label, anchor: 'end', angle: 0, texts },
    ],
  };
}

/** Every k-th label. A time is as short as the time before it allows. */
function labelsShown(
  { points, times, locale }: Chart,
  every: number,
): readonly { readonly index: number; readonly label: string }[] {
  const indexes = Array.from({ length: Math.ceil(points.length / every) }, (_, i) => i * every);
  const at = indexes.map((index) => times?.at[index] ?? 0);
  const texts = times && timeTexts(at, times.unit, locale);
  return indexes.map((index, i) => ({ index, label: texts?.[i]?.whole ?? points[index]?.label ?? '' }));
}
