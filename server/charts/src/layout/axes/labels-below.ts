import { max } from 'd3-array';
import type { Chart } from '../../request/chart.ts';
import type { Rules, Text, Texts } from '../../scene.ts';
import { lineHeight } from '../sizes.ts';
import { textWidth } from '../../text/text-width.ts';
import { rules } from './value-axis.ts';

/** The lines of a label, and its position on the category axis. */
export interface AxisLabel {
  readonly at: number;
  readonly lines: readonly string[];
}

/** Labels below the plot, and where the plot may end. */
export interface PlacedLabels {
  readonly top: number;
  readonly shapes: readonly (Texts | Rules)[];
  /** The space at the left of the plot that turned labels need beyond what there is. They are not placed then. */
  readonly inset?: number;
}

/** How to draw labels. `gap` is the least distance between two of them. */
interface LabelStyle extends Pick<Texts, 'size' | 'fill'> {
  readonly gap: number;
  readonly hasTicks: boolean;
}

/** Labels that are centred at their positions, but inside the picture. Undefined if two are too close to each other. */
export function labelsBelow(
  labels: readonly AxisLabel[],
  { size, fill, gap, hasTicks }: LabelStyle,
  { sizes: { width, margin, fontSize, hairline }, theme }: Chart,
  bottom: number,
): PlacedLabels | undefined {
  const lineCount = max(labels, ({ lines }) => lines.length) ?? 0;
  const top = bottom - size * (lineCount * lineHeight + 0.35);
  const ends: number[] = [];
  const texts: Text[] = [];
  for (const { at, lines } of labels) {
    for (const [line, text] of lines.entries()) {
      const half = textWidth(text, size) / 2;
      // No line begins to the left of the title.
      const x = Math.min(Math.max(at, margin + half), width - margin / 3 - half);
      if (x - half < (ends[line] ?? -Infinity) + gap) return undefined;
      ends[line] = x + half;
      texts.push({ x, y: top + size * (1.35 + line * lineHeight), text });
    }
  }
  const [start, length] = [Math.round(top), Math.round(fontSize * 0.35)];
  const row = { isHorizontal: true, left: 0, right: 0, top: start, bottom: start + length };
  const ticks = rules(hasTicks ? labels.map(({ at }) => at) : [], row, theme.ink.zero, hairline);
  return { top, shapes: [ticks, { kind: 'texts', size, fill, anchor: 'middle', texts }] };
}
