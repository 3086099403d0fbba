import type { Chart } from '../chart.ts';
import type { Color } from '../color.ts';

/** The colour of a series. The colours of the request repeat when they are fewer. */
export function seriesColor({ colors, theme: { palette } }: Chart, index: number): Color {
  return colors[index % colors.length] ?? palette[index % palette.length] ?? palette[0];
}

/** The colours of the marks of a series in turn: all of the request where there is one series without a name. */
export function colorsOfMarks(chart: Chart, index: number): readonly Color[] {
  const { colors, series } = chart;
  const isUnnamed = series.length === 1 && series[0]?.name === '';
  return isUnnamed && colors.length > 0 ? colors : [seriesColor(chart, index)];
}
