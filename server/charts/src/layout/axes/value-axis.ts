import type { Chart } from '../../request/chart.ts';
import type { Rules, Texts } from '../../scene.ts';
import type { Ink } from '../../theme.ts';
import { capHeight, type Box, type Sizes } from '../sizes.ts';
import { shareAt, type Tick, type ValueScale } from './value-scale.ts';

/** The ends of the value axis in pixels, and its scale. */
export interface ValueAxis extends Box {
  readonly scale: ValueScale;
  /** True if values run from left to right, and categories from top to bottom. */
  readonly isHorizontal: boolean;
}

/** The coordinate of a value: x on a horizontal value axis, y on a vertical one. */
export function pixelAt({ scale, isHorizontal, left, top, right, bottom }: ValueAxis, value: number): number {
  const share = shareAt(scale, value);
  return isHorizontal ? left + share * (right - left) : bottom - share * (bottom - top);
}

/** The coordinate of a value, limited to the ends of the axis. */
export function pixelWithin(axis: ValueAxis, value: number): number {
  const [low, high] = axis.isHorizontal ? [axis.left, axis.right] : [axis.top, axis.bottom];
  return Math.min(Math.max(pixelAt(axis, value), low), high);
}

/** Returns true if a value is beyond the limits of the axis. */
export function isOutside(axis: ValueAxis, value: number): boolean {
  return Math.abs(pixelWithin(axis, value) - pixelAt(axis, value)) > 0.5;
}

/** Lines across the value axis. They are in the middle of pixel rows or columns, where they are sharp. */
export function rules(
  places: readonly number[],
  { isHorizontal, left, top, right, bottom }: Omit<ValueAxis, 'scale'>,
  stroke: Rules['stroke'],
  width: number,
): Rules {
  const lines = places.map((place) => {
    const at = Math.round(place) + (width % 2) / 2;
    return isHorizontal ? [at, top, at, bottom] : [left, at, right, at];
  });
  return { kind: 'rules', stroke, width, lines };
}

export function tickTexts(
  ticks: readonly Tick[],
  axis: ValueAxis,
  { fontSize, small: size }: Sizes,
  ink: Ink,
): Texts {
  const { isHorizontal, left, bottom } = axis;
  const texts = ticks.map(({ value, text }) =>
    isHorizontal
      ? { x: pixelAt(axis, value), y: bottom + fontSize * 1.3, text }
      : { x: left - fontSize * 0.8, y: pixelAt(axis, value) + (size * capHeight) / 2, text },
  );
  return { kind: 'texts', size, fill: ink.label, anchor: isHorizontal ? 'middle' : 'end', texts };
}

/** Returns true if the axis needs numbers even if every value is written: for limits, logarithms or unnamed lines. */
export function isValueAxisNeeded({ valueAxis: { min, max, isLog }, lines }: Chart): boolean {
  return isLog || min !== undefined || max !== undefined || lines.some(({ label }) => label === '');
}
