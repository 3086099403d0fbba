import type { Chart } from '../chart.ts';
import type { Shape } from '../scene.ts';
import { capHeight, type Box, type Sizes } from './sizes.ts';
import { textWidth } from './text-width.ts';

/** Says in the language of the chart that it has no data, in the middle of the plot, or a dash if the picture is too small for the words. */
export function noData(
  { phrases, theme: { ink } }: Chart,
  bounds: Box,
  { fontSize, hairline }: Sizes,
): readonly Shape[] {
  const x = (bounds.left + bounds.right) / 2;
  const y = (bounds.top + bounds.bottom) / 2;
  const size = fontSize * 1.15;
  if (textWidth(phrases.no_data, size) > bounds.right - bounds.left || size > bounds.bottom - bounds.top) {
    const halfLength = (bounds.right - bounds.left) / 4;
    return [
      { kind: 'rules', stroke: ink.zero, width: hairline, lines: [[x - halfLength, y, x + halfLength, y]] },
    ];
  }
  const words = { x, y: y + (size * capHeight) / 2, text: phrases.no_data };
  return [
    { kind: 'texts', size, weight: 'regular', fill: ink.label, anchor: 'middle', angle: 0, texts: [words] },
  ];
}
