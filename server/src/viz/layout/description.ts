import type { Chart, Point } from '../chart.ts';
import { count } from './numbers.ts';

/** What a chart without a title is called. */
export const kinds = { bar: 'Bar chart', line: 'Line chart', pie: 'Pie chart' } as const;
const listedMax = 40;

/** The data in words, for readers who cannot see the picture. Long lists are summed up. */
export function description({ kind, points }: Chart): string {
  if (points.length === 0) return `${kinds[kind]} without data.`;
  if (points.length <= listedMax) return `${kinds[kind]}. ${points.map(pointInWords).join('; ')}.`;
  const [low, high] = ends(points);
  return `${kinds[kind]} of ${count(points.length)} points. Lowest: ${pointInWords(low)}. Highest: ${pointInWords(high)}.`;
}

function pointInWords({ label, value }: Point): string {
  return label === '' ? String(value) : `${label}: ${value}`;
}

function ends(points: readonly Point[]): [low: Point, high: Point] {
  let low: Point = points[0] ?? { label: '', value: 0 };
  let high = low;
  for (const point of points) {
    if (point.value < low.value) low = point;
    if (point.value > high.value) high = point;
  }
  return [low, high];
}
