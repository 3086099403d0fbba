import { chartKinds } from '../../chart-kinds.ts';
import type { Chart, Point } from '../chart.ts';
import type { Series } from '../series.ts';
import type { Extremes } from './extent.ts';
import { count } from './numbers.ts';

const listedMax = 40;

/** The data as text, for screen readers. Long lists are summarized. */
export function description(chart: Chart, { lowest, highest }: Extremes): string {
  const { points, series } = chart;
  const name = nameOf(chart);
  if (points.length === 0) return `${name} without data.`;
  const [first] = series;
  if (first?.name === '' && series.length === 1 && points.length <= listedMax)
    return `${name}. ${valuesInWords(first, points)}.`;
  if (series.length > 0 && points.length * series.length <= listedMax)
    return `${name} of ${series.length} series. ${series.map((each) => seriesInWords(each, points)).join('. ')}.`;
  if (series.length === 0 && points.length <= listedMax)
    return `${name}. ${points.map(pointInWords).join('; ')}.`;
  const size =
    series.length > 0
      ? `${series.length} series by ${count(points.length)} labels`
      : `${count(points.length)} points`;
  return `${name} of ${size}. Lowest: ${pointInWords(lowest)}. Highest: ${pointInWords(highest)}.`;
}

/** What kind of chart it is: the title of a chart whose request has none. */
export function nameOf({ kind, isArea }: Chart): string {
  return isArea ? 'Area chart' : chartKinds[kind].name;
}

function seriesInWords(series: Series, points: readonly Point[]): string {
  return `${series.name}: ${valuesInWords(series, points)}`;
}

function valuesInWords({ values }: Series, points: readonly Point[]): string {
  const present = points.flatMap(({ label }, i) =>
    values[i] === undefined ? [] : [{ label, value: values[i] }],
  );
  return present.map(pointInWords).join('; ');
}

function pointInWords({ label, value }: Point): string {
  return label === '' ? String(value) : `${label}: ${value}`;
}
