import { area, bar, line, size, stacked, type Cases } from './charts.ts';
import { days, series, timed, wave, type Data } from './series.ts';

const hour = 3_600_000;
const weights = series(
  ['2026-01-03', '2026-01-05', '2026-01-31', '2026-02-28', '2026-03-02', '2026-06-15', '2026-06-16'],
  [81.4, 81.2, 80.1, 79.9, 79.5, 76.2, 76.4],
);
const clocks = [
  { name: 'Every hour', data: timed('2026-01-30T00:00Z', hour, 20) },
  { name: 'Every 90 minutes', data: timed('2026-01-30T00:15Z', 1.5 * hour, 14) },
];
const months = (count: number): Data =>
  Array.from({ length: count }, (_, i) => ({
    label: new Date(Date.UTC(2024, 9 + i)).toISOString().slice(0, 7),
    value: wave(i * 11),
  }));
const regions = ['North', 'South'].map((name) => ({ name, data: months(48) }));

/** Charts whose labels are times. */
export const times: Cases = {
  'times, irregular': line('Weight in kg', weights),
  'times, months': line('Revenue', months(20)),
  'times, a day': line('Requests', timed('2026-01-30T00:00Z', hour / 4, 96), { locale: 'de' }),
  'times, seconds': line('Requests', timed('2026-01-30T23:59:40Z', 1000, 40)),
  'times, thirty years': area('Index', timed('1996-01-01T00:00Z', 30.4 * 24 * hour, 360)),
  'times, two series': line('Two clocks', clocks),
  'times, bars of months': bar('Revenue', months(12)),
  'times, bars of days': bar('Sign-ups', days(60), { locale: 'ja' }),
  'times, bars of 48 months, stacked': bar('Revenue', regions, { ...stacked, locale: 'ar-EG' }),
  'times, quarters': bar('Revenue', series(['2025-Q3', '2025-Q4', '2026-Q2'], [3, 4, 5])),
  'times, 160 × 100': line(undefined, days(45), size(160, 100)),
};
