import type { Schemas } from '../../server/src/operation.ts';
import { days, series, timed, wave } from './series.ts';

type Request = Partial<Schemas['ChartRequest']>;

const hour = 3_600_000;
const weights = series(
  ['2026-01-03', '2026-01-05', '2026-01-31', '2026-02-28', '2026-03-02', '2026-06-15', '2026-06-16'],
  [81.4, 81.2, 80.1, 79.9, 79.5, 76.2, 76.4],
);
const line = { chart_type: 'line' } as const;
const months = (count: number): Schemas['DataPoint'][] =>
  Array.from({ length: count }, (_, i) => ({
    label: new Date(Date.UTC(2024, 9 + i)).toISOString().slice(0, 7),
    value: wave(i * 11),
  }));

/** Charts whose labels are times. */
export const times: Readonly<Record<string, Request>> = {
  'times, irregular': { ...line, title: 'Weight in kg', data: weights },
  'times, months': { ...line, title: 'Revenue', data: months(20) },
  'times, 72 hours': { ...line, title: 'Requests', data: timed('2026-01-30T00:00Z', hour, 72) },
  'times, a day': {
    ...line,
    title: 'Requests',
    data: timed('2026-01-30T00:00Z', hour / 4, 96),
    locale: 'de',
  },
  'times, minutes': { ...line, title: 'Requests', data: timed('2026-01-30T23:40Z', hour / 60, 45) },
  'times, seconds': { ...line, title: 'Requests', data: timed('2026-01-30T23:59:40Z', 1000, 40) },
  'times, thirty years': {
    ...line,
    title: 'Index',
    area: true,
    data: timed('1996-01-01T00:00Z', 30.4 * 24 * hour, 360),
  },
  'times, two series': {
    ...line,
    title: 'Two clocks',
    series: [
      { name: 'Every hour', data: timed('2026-01-30T00:00Z', hour, 20) },
      { name: 'Every 90 minutes', data: timed('2026-01-30T00:15Z', 1.5 * hour, 14) },
    ],
  },
  'times, bars of months': { title: 'Revenue', data: months(12) },
  'times, bars of months, 300 × 200': { title: 'Revenue', width: 300, height: 200, data: months(12) },
  'times, bars of days': { title: 'Sign-ups', data: days(60), locale: 'ja' },
  'times, bars of 48 months, stacked': {
    title: 'Revenue',
    stacked: true,
    series: [
      { name: 'North', data: months(48) },
      { name: 'South', data: months(48) },
    ],
    locale: 'ar-EG',
  },
  'times, horizontal': { title: 'Revenue', orientation: 'horizontal', data: months(20) },
  'times, 300 × 200': { ...line, title: 'Sign-ups', width: 300, height: 200, data: days(45), locale: 'de' },
  'times, 160 × 100': { ...line, width: 160, height: 100, data: days(45) },
};
