import type { Chart } from '../chart.ts';
import type { Color } from '../color.ts';
import type { Texts } from '../scene.ts';
import { inkOn } from '../theme.ts';
import type { ValueBar } from './groups.ts';
import { capHeight, type Sizes } from './sizes.ts';
import { textWidth } from './text-width.ts';
import { valueSize, type ValueLabels } from './value-labels.ts';

/** The values of a stacked series in the middle of its bars, where they fit. */
export function textsInside(
  bars: readonly (ValueBar | undefined)[],
  color: Color,
  labels: ValueLabels | undefined,
  { theme }: Chart,
  { fontSize }: Sizes,
): readonly Texts[] {
  if (labels === undefined) return [];
  const size = fontSize * valueSize;
  const texts = bars.flatMap((bar) => {
    if (bar === undefined) return [];
    const { x, y, width, height, value } = bar;
    const text = labels.write(value);
    const fits = textWidth(text, size) <= width - 4 && height >= size * 1.2;
    return fits ? [{ x: x + width / 2, y: y + (height + size * capHeight) / 2, text }] : [];
  });
  const fill = inkOn(color, theme);
  return texts.length === 0
    ? []
    : [{ kind: 'texts', size, weight: 'regular', fill, anchor: 'middle', angle: 0, texts }];
}
