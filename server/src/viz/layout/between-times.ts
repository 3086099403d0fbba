import type { Chart } from '../chart.ts';
import { stackOf, type Series, type Values } from '../series.ts';
import type { Times } from '../times.ts';

/**
 * The series of stacked areas over times, with values on the straight lines between points where only other series have
 * points. Otherwise an area would fall to zero there.
 */
export function valuesBetweenTimes({ series, times }: Chart): readonly Series[] {
  if (times === undefined) return series;
  const filled = series.map((each) => ({ ...each, values: filledValues(each, times) }));
  // Between the points of the request, the sums may be larger than the largest number.
  const isFinite = times.at.every((_, i) => {
    const { up, down } = stackOf(filled, i);
    return Number.isFinite(up - down);
  });
  return isFinite ? filled : series;
}

function filledValues({ values }: Series, { at }: Times): Values {
  const filled = [...values];
  let previous = -1;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (value === null) previous = -1;
    if (typeof value !== 'number') continue;
    const before = values[previous];
    for (let k = previous + 1; typeof before === 'number' && k < i; k++) {
      const share = ((at[k] ?? 0) - (at[previous] ?? 0)) / Math.max(1, (at[i] ?? 0) - (at[previous] ?? 0));
      filled[k] = before * (1 - share) + value * share;
    }
    previous = i;
  }
  return filled;
}
