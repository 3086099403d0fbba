import type { Chart } from '../../request/chart.ts';
import { stacksOf } from '../../request/series.ts';
import { barMark, barShape, placeInBand, type ValueBar } from './groups.ts';
import type { Mark } from '../marks.ts';
import type { Plot } from '../plot.ts';
import { isOutside, pixelAt, pixelWithin } from '../axes/value-axis.ts';
import { placeOf, type BandScale } from '../sizes.ts';

/** The stack of each category. A bar is at least one pixel long unless its value is zero. */
export function stackedBars({ labels, series, sizes }: Chart, plot: Plot, bands: BandScale): ValueBar[][] {
  const bars = series.map((): ValueBar[] => []);
  for (const category of labels.keys()) {
    const [start, breadth] = placeInBand(bands, category, 0, 1, sizes);
    const at = start + breadth / 2;
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
        bars[index]?.push({ ...barShape(plot, [start, breadth], span, isRound), value, at });
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

/**
 * Marks for the sums of stacks at these places on the category axis: at the top, or at the lower end if all values are
 * negative.
 */
export function sumMarks(chart: Chart, plot: Plot, places = plot.bandScale): readonly Mark[] {
  return stacksOf(chart).flatMap(({ up, down, sum }, i) => {
    if (up === 0 && down === 0) return [];
    return [{ ...barMark(plot, placeOf(places, i), up > 0 ? up : down), value: sum }];
  });
}
