import type { Color } from '../color.ts';
import type { Coordinates } from '../scene.ts';
import { doOverlap, type Box } from './sizes.ts';

/** The end of a bar or a point of a line. */
export interface Mark {
  readonly x: number;
  readonly y: number;
  readonly value: number;
  /** Where its label goes: -1, 0 or 1 to the right, and -1, 0 or 1 down. */
  readonly side: readonly [toRight: number, down: number];
  /** The colour of the label, if labels show by colour to which series they belong. */
  readonly color?: Color | undefined;
}

/** Returns true if a line from left to right passes through a box, or closer to it than a slack. */
export function crosses(line: Coordinates, box: Box): boolean {
  const slack = 1 + (box.bottom - box.top) * 0.2;
  const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  for (let i = 2; i < line.length; i += 2) {
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = [line[i - 2], line[i - 1], line[i], line[i + 1]];
    if (x2 < box.left - slack) continue;
    if (x1 > box.right + slack) return false;
    const [dx, dy] = [x2 - x1, y2 - y1];
    const reach = dx * (box.bottom - y + slack) + Math.abs(dy) * (box.right - x + slack);
    const piece = { left: x1, right: x2, top: Math.min(y1, y2), bottom: Math.max(y1, y2) };
    if (Math.abs(dx * (y - y1) - dy * (x - x1)) < reach && doOverlap(piece, box, slack)) return true;
  }
  return false;
}
