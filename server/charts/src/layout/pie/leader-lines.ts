import type { Wedges } from '../../scene.ts';
import type { Slice } from './slices.ts';

export type Disc = Pick<Wedges, 'x' | 'y' | 'radius'>;

/** The lines of a label at the left or right of its slice. */
export interface SliceLabel {
  readonly slice: Slice;
  readonly side: -1 | 1;
  readonly lines: readonly string[];
  readonly height: number;
}

/** The space between the disc and the labels at its sides, in units of the text size. */
export const leaderRoom = 1.5;
const startGap = 0.25;
const textGap = 0.35;
const bendMin = 0.85;

/** The start of a label as the distance from the disc's middle, and the line to the label. */
export interface Leader {
  readonly textStart: number;
  readonly line: readonly number[];
}

/**
 * A line from the rim of a slice straight to the height of its label, and then horizontally to the label. Labels and
 * bends lie on circles around the disc, so that lines are short. Lines that do not touch the disc connect two half
 * circles in the same order, so they never cross. Undefined if the line would touch the disc, or if the label is above
 * or below these circles, where lines would cross.
 */
export function leaderLine(
  { slice: { from, to }, side, height }: SliceLabel,
  y: number,
  disc: Disc,
  fontSize: number,
): Leader | undefined {
  const start = disc.radius + fontSize * startGap;
  const up = disc.y - y;
  const middleAngle = (from + to) / 2;
  // At the left, angles decrease from top to bottom.
  const middle = side === 1 ? middleAngle : 2 * Math.PI - middleAngle;
  const bends = disc.radius + fontSize * (leaderRoom - textGap);
  if (Math.abs(up) >= bends) return undefined;
  const bend = Math.max(across(bends, up), fontSize * bendMin);
  const textStart = Math.max(
    across(disc.radius + fontSize * leaderRoom, Math.max(0, Math.abs(up) - height / 2)),
    fontSize * (bendMin + textGap),
  );
  const angle = startAngle(middle, (to - from) / 2, bend, up, start);
  if (angle === undefined) return undefined;
  const x = (distance: number): number => disc.x + side * distance;
  const rim = [x(Math.sin(angle) * start), disc.y - Math.cos(angle) * start];
  return { textStart, line: [...rim, x(bend), y, x(textStart - fontSize * textGap), y] };
}

/** The angle nearest to the middle of a slice from which a straight line to the bend runs outside the circle of starts. */
function startAngle(
  middle: number,
  half: number,
  bend: number,
  up: number,
  start: number,
): number | undefined {
  if (bend * Math.sin(middle) + up * Math.cos(middle) >= start) return middle;
  const [toBend, reach] = [Math.atan2(bend, up), Math.acos(start / Math.hypot(bend, up))];
  const angle = Math.max(toBend - reach, Math.min(toBend + reach, middle));
  return Math.abs(angle - middle) <= half - Math.min(0.1, half / 2) + 1e-9 ? angle : undefined;
}

/** Half the length of the chord at a height above or below the middle of a circle; 0 outside the circle. */
function across(radius: number, height: number): number {
  return Math.abs(height) < radius ? Math.sqrt(radius ** 2 - height ** 2) : 0;
}
