import type { Chart, Point } from '../chart.ts';
import { stackOf } from '../series.ts';

/** The first points of the smallest and of the largest value. */
export interface Extremes {
  readonly lowest: Point;
  readonly highest: Point;
}

const none = { label: '', value: 0 };

export function extremesOf(points: readonly Point[]): Extremes {
  let lowest = points[0] ?? none;
  let highest = lowest;
  for (const point of points) {
    if (point.value < lowest.value) lowest = point;
    if (point.value > highest.value) highest = point;
  }
  return { lowest, highest };
}

/** The extremes of all series, or of their stacks. */
export function seriesExtremes({ points, series, isStacked }: Chart): Extremes {
  if (isStacked) {
    return extremesOf(
      points.flatMap(({ label }, i) => {
        const { up, down } = stackOf(series, i);
        return [
          { label, value: up },
          { label, value: down },
        ];
      }),
    );
  }
  const extremes = series.flatMap(({ name, values }) => {
    const known = points.flatMap(({ label }, i) =>
      values[i] === undefined ? [] : [{ label, value: values[i] }],
    );
    if (known.length === 0) return [];
    const { lowest, highest } = extremesOf(known);
    return [lowest, highest].map(({ label, value }) => ({
      label: name === '' ? label : `${name}, ${label}`,
      value,
    }));
  });
  return extremesOf(extremes);
}

/** The extremes of the values and the reference lines. */
export function withLines({ lowest, highest }: Extremes, { lines }: Chart): Extremes {
  return extremesOf([lowest, highest, ...lines]);
}

/** Bars start at zero, so their range includes zero; on a logarithmic axis, they start below the lowest value. */
export function barExtent({ lowest, highest }: Extremes, isLog = false): [low: number, high: number] {
  if (isLog) return [lowest.value / 2, highest.value];
  return [Math.min(0, lowest.value), Math.max(0, highest.value)];
}

/** Lines show change, so their range includes zero only if the values come near it. */
export function lineExtent({ lowest, highest }: Extremes, isLog = false): [low: number, high: number] {
  const [low, high] = [lowest.value, highest.value];
  if (isLog) return [low, high];
  if (low > 0 && low < high * 0.4) return [0, high];
  if (high < 0 && high > low * 0.4) return [low, 0];
  return [low, high];
}

/** The range within the limits of the request. If no value is inside them, the other end is far enough from the limit. */
export function limitedExtent(
  [lowest, highest]: readonly [low: number, high: number],
  { min, max, isLog }: Chart['valueAxis'],
): [low: number, high: number] {
  const [low, high] = [min ?? lowest, max ?? highest];
  if (low < high || (min === undefined && max === undefined)) return [low, high];
  const distance = (limit: number): number => Math.abs(limit) || 1;
  if (max === undefined) return [low, Math.min(isLog ? low * 10 : low + distance(low), Number.MAX_VALUE)];
  return [Math.max(isLog ? high / 10 : high - distance(high), -Number.MAX_VALUE), high];
}
