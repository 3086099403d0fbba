import type { Chart, Point } from '../chart.ts';
import type { Series } from '../series.ts';
import type { Extremes } from './extent.ts';
import { count } from './numbers.ts';

/** The title of a chart whose request has none. */
export const kinds = { bar: 'Bar chart', line: 'Line chart', pie: 'Pie chart' } as const;
const listedMax = 40;

/** The data as text, for screen readers. Long lists are summarized. */
export function description(chart: Chart, { lowest, highest }: Extremes): string {
  const { kind, points, series } = chart;
  if (points.length === 0) return `${kinds[kind]} without data.`;
  if (series.length > 0 && points.length * series.length <= listedMax)
    return `${kinds[kind]} of ${series.length} series. ${series.map((each) => seriesInWords(each, points)).join('. ')}.`;
  if (series.length === 0 && points.length <= listedMax)
    return `${kinds[kind]}. ${points.map(pointInWords).join('; ')}.`;
  const size =
    series.length > 0
      ? `${series.length} series by ${count(points.length)} labels`
      : `${count(points.length)} points`;
  return `${kinds[kind]} of ${size}. Lowest: ${pointInWords(lowest)}. Highest: ${pointInWords(highest)}.`;
}

function seriesInWords({ name, values }: Series, points: readonly Point[]): string {
  const known = points.flatMap(({ label }, i) =>
    values[i] === undefined ? [] : [{ label, value: values[i] }],
  );
  return `${name}: ${known.map(pointInWords).join('; ')}`;
}

function pointInWords({ label, value }: Point): string {
  return label === '' ? String(value) : `${label}: ${value}`;
}
