import { greatest, least, maxIndex, minIndex } from 'd3-array';
import type { Chart, Point } from '../../request/chart.ts';
import { stacksOf, type Series } from '../../request/series.ts';

/** The first point with the smallest value, and the first with the largest. */
export interface Extremes {
  readonly lowest: Point;
  readonly highest: Point;
}

/** The extremes of all values or, if the series are stacked, of the sums. */
export function extremesOf({ labels, series, isStacked }: Chart): Extremes {
  if (!isStacked) return outermost(series.flatMap((each) => extremesOfSeries(each, labels)));
  const sums = stacksOf({ labels, series }).flatMap(({ up, down }) => [up, down]);
  return outermost(sums.map((value, i) => ({ label: labels[Math.floor(i / 2)] ?? '', value })));
}

function extremesOfSeries({ name, values }: Series, labels: readonly string[]): readonly Point[] {
  return [minIndex(values), maxIndex(values)]
    .filter((index) => index >= 0)
    .map((index) => {
      const label = (name === '' ? '' : `${name}, `) + (labels[index] ?? '');
      return { label, value: values[index] ?? 0 };
    });
}

/** The extremes of the values and the reference lines. */
export function withLines({ lowest, highest }: Extremes, { lines }: Chart): Extremes {
  return outermost([lowest, highest, ...lines]);
}

function outermost(points: readonly Point[]): Extremes {
  const none = { label: '', value: 0 };
  const valueOf = ({ value }: Point): number => value;
  return { lowest: least(points, valueOf) ?? none, highest: greatest(points, valueOf) ?? none };
}

/** The range of bars includes zero, where bars start. On a logarithmic axis, bars start below the lowest value. */
export function barExtent({ lowest, highest }: Extremes, isLog = false): [low: number, high: number] {
  if (isLog) return [lowest.value / 2, highest.value];
  return [Math.min(0, lowest.value), Math.max(0, highest.value)];
}

/** The range of lines includes zero only if values come near it, because lines show change. */
export function lineExtent({ lowest, highest }: Extremes, isLog = false): [low: number, high: number] {
  const [low, high] = [lowest.value, highest.value];
  if (isLog) return [low, high];
  if (low > 0 && low < high * 0.4) return [0, high];
  if (high < 0 && high > low * 0.4) return [low, 0];
  return [low, high];
}

/**
 * The range within the limits of the request. If all values are outside the limits, the range begins or ends at the
 * limit.
 */
export function limitedExtent(
  [lowest, highest]: readonly [low: number, high: number],
  { min, max }: Chart['valueAxis'],
): [low: number, high: number] {
  const [low, high] = [min ?? lowest, max ?? highest];
  if (low < high || (min === undefined && max === undefined)) return [low, high];
  const length = Math.abs(max ?? low) / 2 || 1;
  return max === undefined ? [low, low + length] : [high - length, high];
}
