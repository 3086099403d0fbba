import type { Chart } from '../chart.ts';
import type { Color } from '../color.ts';

/** The colour of a series. The colours of the request repeat when they are fewer. */
export function seriesColor({ colors, theme: { palette } }: Chart, index: number): Color {
  return colors[index % colors.length] ?? palette[index % palette.length] ?? palette[0];
}
