import type { Chart } from '../chart.ts';
import { stackOf } from '../series.ts';
import type { Box } from './sizes.ts';
import { shareAt, type Tick, type ValueScale } from './value-scale.ts';

/** As many ticks as the axis has room for; values that are all whole get no ticks between whole numbers. */
export function tickCount(
  chart: Chart,
  [low, high]: readonly [low: number, high: number],
  bounds: Box,
): number {
  const { sizes } = chart;
  if (!sizes.showsText) return 6;
  const steps = chart.isHorizontal
    ? (bounds.right - bounds.left) / (sizes.fontSize * 9)
    : (bounds.bottom - bounds.top) / (sizes.fontSize * 5);
  const byLength = Math.max(2, Math.min(7, Math.round(steps)));
  const hasWholeSteps = high - low >= 1 && high - low < byLength && isDrawnWhole(chart);
  return hasWholeSteps ? Math.round(high - low) : byLength;
}

function isDrawnWhole({ labels, series, isStacked }: Chart): boolean {
  if (isStacked) return labels.every((_, i) => isWhole(stackOf(series, i).sum));
  return series.every(({ values }) => values.every((value) => isWhole(value ?? 0)));
}

/** Returns true also for a sum such as 0.7 + 0.1 + 0.2. */
function isWhole(value: number): boolean {
  return Math.abs(value - Math.round(value)) <= Math.abs(value) * 1e-9;
}

/** Every tick, or every second or third, counted from zero or the lowest, so that their numbers do not touch. */
export function withRoom(scale: ValueScale, length: number, textSpace: number): readonly Tick[] {
  const { ticks } = scale;
  if (scale.isLog) return apart(ticks, textSpace / length);
  const zeroAt = shareAt(scale, 0);
  const gap = ((ticks[1]?.at ?? 1) - (ticks[0]?.at ?? 0)) * length;
  const every = Math.max(1, Math.ceil(textSpace / Math.max(gap, 1)));
  const first = Math.max(
    0,
    ticks.findIndex((tick) => tick.at === zeroAt),
  );
  return ticks.filter((_, i) => (i - first) % every === 0);
}

/** The ticks of a logarithmic scale that are far enough from the one before. */
function apart(ticks: readonly Tick[], distanceMin: number): readonly Tick[] {
  const spaced: Tick[] = [];
  for (const tick of ticks) if (tick.at - (spaced.at(-1)?.at ?? -Infinity) >= distanceMin) spaced.push(tick);
  return spaced;
}
