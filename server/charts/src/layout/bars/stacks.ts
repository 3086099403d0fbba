import { greatest, range } from 'd3-array';
import type { Chart } from '../../request/chart.ts';
import type { Color } from '../../color.ts';
import type { Texts } from '../../scene.ts';
import { stackOf, stacksOf } from '../../request/series.ts';
import { inkOn } from '../../theme.ts';
import { barMark, barShape, type Slot, type ValueBar } from './groups.ts';
import type { Mark } from '../marks.ts';
import type { Plot } from '../plot.ts';
import { isOutside, pixelAt, pixelWithin } from '../axes/value-axis.ts';
import { capHeight, placeOf } from '../sizes.ts';
import { textWidth } from '../../text/text-width.ts';
import type { ValueLabels } from '../labels/value-labels.ts';

const bandShare = 0.8;

/**
 * The stack of each slot. A slot of several categories shows its largest stack. A bar is at least one pixel long unless
 * its value is zero.
 */
export function stackedBars({ series, sizes }: Chart, plot: Plot, slots: readonly Slot[]): ValueBar[][] {
  const bars = series.map((): ValueBar[] => []);
  for (const { middle, step, first, next } of slots) {
    const category = largestStack(series, first, next);
    const breadth = Math.max(1, Math.round(Math.min(step * bandShare, sizes.fontSize * 9)));
    const start = Math.round(middle - breadth / 2);
    for (const isUp of [true, false]) {
      const parts = series.flatMap(({ values }, index) => {
        const value = values[category] ?? 0;
        return value !== 0 && value > 0 === isUp ? [{ value, index }] : [];
      });
      let sum = 0;
      const ends = parts.map(({ value }) => Math.abs(Math.round(pixelAt(plot, (sum += value))) - plot.base));
      const edge = Math.abs(Math.round(pixelWithin(plot, isUp ? Infinity : -Infinity)) - plot.base);
      const steps = visibleSteps(ends).map((end) => Math.min(end, edge));
      // Bars above zero run upwards or to the right.
      const sign = isUp === plot.isHorizontal ? 1 : -1;
      parts.forEach(({ index, value }, i) => {
        const [near, end] = [steps[i - 1] ?? 0, steps[i] ?? 0];
        if (near === end) return;
        // Between segments, a hairline shows the paper, unless the segment is too short for that.
        const gap = i > 0 && end - near > sizes.hairline * 3 ? sizes.hairline : 0;
        const span = [plot.base + sign * (near + gap), plot.base + sign * end] as const;
        const isRound = i === parts.length - 1 && !isOutside(plot, sum);
        bars[index]?.push({ ...barShape(plot, [start, breadth], span, isRound), value, at: middle });
      });
    }
  }
  return bars;
}

/** Whole numbers near `ends`, each at least one larger than the previous, and the first at least one. */
function visibleSteps(ends: readonly number[]): readonly number[] {
  const steps: number[] = [];
  for (const end of ends) steps.push(Math.max(end, (steps.at(-1) ?? 0) + 1));
  // Large parts lose the pixels that small parts have gained, so that the sum stays the same.
  let last = Math.max(ends.at(-1) ?? 0, ends.length);
  for (let i = steps.length - 1; i >= 0; i--) {
    steps[i] = Math.min(steps[i] ?? 0, last);
    last = (steps[i] ?? 0) - 1;
  }
  return steps;
}

function largestStack(series: Chart['series'], first: number, next: number): number {
  const heightOf = (category: number): number => {
    const { up, down } = stackOf(series, category);
    return Math.max(up, -down);
  };
  return next - first === 1 ? first : (greatest(range(first, next), heightOf) ?? first);
}

/** Marks for the sums of stacks: at their top, or at their lower end where all values are negative. */
export function sumMarks(chart: Chart, plot: Plot): readonly Mark[] {
  return stacksOf(chart).flatMap(({ up, down, sum }, i) => {
    if (up === 0 && down === 0) return [];
    return [{ ...barMark(plot, placeOf(plot.bandScale, i), up > 0 ? up : down), value: sum }];
  });
}

/** The values of a stacked series, in the middle of its bars if they fit. */
export function textsInside(
  bars: readonly (ValueBar | undefined)[],
  color: Color,
  labels: ValueLabels | undefined,
  { theme, sizes: { small: size } }: Chart,
): readonly Texts[] {
  if (labels === undefined) return [];
  const texts = bars.flatMap((bar) => {
    if (bar === undefined) return [];
    const { x, y, width, height, value } = bar;
    const text = labels.write(value);
    const fits = textWidth(text, size, 'bold') <= width - 4 && height >= size * 1.2;
    return fits ? [{ x: x + width / 2, y: y + (height + size * capHeight) / 2, text }] : [];
  });
  const fill = inkOn(color, theme);
  return texts.length === 0 ? [] : [{ kind: 'texts', size, weight: 'bold', fill, anchor: 'middle', texts }];
}
