import type { Color } from '../color.ts';

/** Marks grouped by colour; the colours repeat in turn. Each group is painted as one shape. */
export function byColor<Mark>(
  marks: readonly Mark[],
  colors: readonly Color[],
): readonly (readonly [Color, readonly Mark[]])[] {
  const groups = colors.slice(0, marks.length).map((color): [Color, Mark[]] => [color, []]);
  marks.forEach((mark, i) => groups[i % groups.length]?.[1].push(mark));
  return groups;
}
