import { range } from 'd3-array';
import type { Chart } from '../../request/chart.ts';
import type { Texts } from '../../scene.ts';
import { labelsAt, roundedUp } from './categories.ts';
import { capHeight, lineHeight, type BandScale, type Box } from '../sizes.ts';
import { areApart, distinctTexts, balanced, wrappedWhole } from '../../text/text-fit.ts';
import { timeThinning } from './time-axis.ts';
import { widest } from '../../text/text-width.ts';

/**
 * Writes the labels at the left of the plot, wrapped to as many lines as fit into a band. If bands are lower than a
 * line, only every k-th label is written. `right` is where the plot may begin.
 */
export function placeCategoriesBeside(
  chart: Chart,
  bandScale: BandScale,
  bounds: Box,
): { readonly right: number; readonly shapes: readonly Texts[] } {
  const { fontSize: size, showsAxes } = chart.sizes;
  if (!showsAxes || chart.labels.every((label) => label === '')) return { right: bounds.left, shapes: [] };
  const { start, step } = bandScale;
  const least = (size * lineHeight) / step;
  const every = chart.times === undefined ? roundedUp(least) : timeThinning(least);
  const linesMax = Math.max(1, Math.floor(step / (size * lineHeight)));
  const shown = labelsAt(chart, range(0, chart.labels.length, every));
  const width = bounds.right - bounds.left;
  // Bars have more room if all labels fit into two short lines.
  const [narrow, wide] = [width * 0.18, width * 0.45];
  const doFit = shown.every((label) => wrappedWhole(label, narrow, Math.min(2, linesMax), { size }));
  const widthMax = doFit ? narrow : wide;
  const wrapped = shown.map((label) => balanced(label, widthMax, linesMax, { size }));
  const joined = wrapped.map((lines) => lines.join(' '));
  // If different labels would look alike when wrapped, they are shortened to one line.
  const areDistinct = areApart(shown, joined);
  const labels = areDistinct ? wrapped : distinctTexts(shown, widthMax, { size }).map((text) => [text]);
  const right = bounds.left + widest(labels.flat(), size);
  const [x, anchor] = chart.isRightToLeft ? ([right, 'end'] as const) : ([bounds.left, 'start'] as const);
  const texts = labels.flatMap((lines, k) => {
    const middle = start + k * every * step;
    const first = middle + (size * capHeight - (lines.length - 1) * size * lineHeight) / 2;
    return lines.map((text, i) => ({ x, y: first + i * size * lineHeight, text }));
  });
  return {
    right: right + size * 0.8,
    shapes: [{ kind: 'texts', size, fill: chart.theme.ink.value, anchor, texts }],
  };
}
