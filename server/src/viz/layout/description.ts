import type { Chart, Point } from '../chart.ts';
import type { Extremes } from './extent.ts';
import { count } from './numbers.ts';

/** The title of a chart whose request has none. */
export const kinds = { bar: 'Bar chart', line: 'Line chart', pie: 'Pie chart' } as const;
const listedMax = 40;

/** The data as text, for screen readers. Long lists are summarized. */
export function description({ kind, points }: Chart, { lowest, highest }: Extremes): string {
  if (points.length === 0) return `${kinds[kind]} without data.`;
  if (points.length <= listedMax) return `${kinds[kind]}. ${points.map(pointInWords).join('; ')}.`;
  return `${kinds[kind]} of ${count(points.length)} points. Lowest: ${pointInWords(lowest)}. Highest: ${pointInWords(highest)}.`;
}

function pointInWords({ label, value }: Point): string {
  return label === '' ? String(value) : `${label}: ${value}`;
}
