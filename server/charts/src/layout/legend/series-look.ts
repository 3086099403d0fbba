import type { Chart } from '../../request/chart.ts';
import type { Color } from '../../color.ts';

/**
 * The colour of a series, from the request or else from the theme. Muted series are grey, and use up no colour of the
 * theme. Colours repeat if there are more series.
 */
export function seriesColor({ series, colors, theme: { palette, ink } }: Chart, index: number): Color {
  if (series[index]?.isMuted === true) return ink.zero;
  const rank = series.slice(0, index).filter(({ isMuted }) => isMuted !== true).length;
  return colors[index % colors.length] ?? palette[rank % palette.length] ?? ink.title;
}

/**
 * Groups the bars or points of a series by colour, so that each group is painted as one shape. If there is only one
 * series and it has no name, its bars or points take the colours of the request in turn.
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
