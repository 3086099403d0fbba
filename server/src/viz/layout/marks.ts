import type { Anchor, Bar, Text } from '../scene.ts';
import type { Plot } from './plot.ts';
import type { Box } from './sizes.ts';

/** The end of a bar, or a point of a line, and the side of it where its label stands. */
export interface Mark {
  readonly x: number;
  readonly y: number;
  readonly value: number;
  readonly side: Side;
  /** Whether the label stands more to the left or to the right, where the line at the mark leaves room. */
  readonly shift?: -1 | 0 | 1;
}

type Side = Exclude<Bar['rounded'], 'none'>;

/** The text of a mark, and the space that it takes. */
export interface Label extends Text, Box {
  readonly anchor: Anchor;
}

/** The least distance of two marks along the category axis. */
export function pitchOf(marks: readonly Mark[], { isHorizontal }: Plot): number {
  const places = marks.map(({ x, y }) => (isHorizontal ? y : x)).sort((a, b) => a - b);
  let least = Infinity;
  for (let i = 1; i < places.length; i++) least = Math.min(least, (places[i] ?? 0) - (places[i - 1] ?? 0));
  return least;
}
