import type { Chart } from '../chart.ts';
import type { Color } from '../color.ts';

/** The colour of a series. If the request has fewer colours than series, its colours repeat. */
export function seriesColor({ colors, theme: { palette, ink } }: Chart, index: number): Color {
  return colors[index % colors.length] ?? palette[index % palette.length] ?? ink.title;
}

/**
 * The bars or points of a series by colour, each group painted as one shape. The bars or points of a
 * single series without a name take the colours of the request in turn.
 */
export function byColor<Mark>(
  marks: readonly Mark[],
  chart: Chart,
  index: number,
): readonly (readonly [Color, readonly Mark[]])[] {
  if (marks.length === 0) return [];
  const { colors, series } = chart;
  const isUnnamed = series.length === 1 && series[0]?.name === '';
  if (!isUnnamed || colors.length < 2) return [[seriesColor(chart, index), marks]];
  const groups = colors.slice(0, marks.length).map((color): [Color, Mark[]] => [color, []]);
  marks.forEach((mark, i) => groups[i % groups.length]?.[1].push(mark));
  return groups;
}

// Lengths in units of the line's width. The round ends of a dash add one unit to it.
const patterns = [
  [3, 3],
  [0.1, 2.5],
  [6, 3],
  [4, 3, 0.1, 3],
] as const;

/** The dashes of a series. The first four are solid lines; eight colours are too many to tell apart in print. */
export function seriesDash(index: number, width: number): readonly number[] {
  const pattern = index < patterns.length ? [] : (patterns[index % patterns.length] ?? []);
  return pattern.map((length) => length * width);
}
