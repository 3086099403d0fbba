import { area, bar, line, size, stacked, type Cases } from './charts.ts';
import { days, monthsFrom, series, timed } from './series.ts';

const hour = 3_600_000;
const weights = series(
  ['2026-01-03', '2026-01-05', '2026-01-31', '2026-02-28', '2026-03-02', '2026-06-15', '2026-06-16'],
  [81.4, 81.2, 80.1, 79.9, 79.5, 76.2, 76.4],
);
const regions = ['North', 'South'].map((name) => ({ name, data: monthsFrom('2024-10', 48) }));

/** Charts whose labels are times. */
export const times: Cases = {
  'times, irregular': line('Weight in kg', weights),
  'times, months': line('Revenue', monthsFrom('2024-10', 20)),
  'times, seconds': line('Requests', timed('2026-01-30T23:59:40Z', 1000, 40)),
  'times, thirty years': area('Index', timed('1996-01-01T00:00Z', 30.4 * 24 * hour, 360)),
  'times, bars of months': bar('Revenue', monthsFrom('2024-10', 12)),
  'times, bars of days': bar('Sign-ups', days(60), { locale: 'ja' }),
  'times, bars of 48 months, stacked': bar('Revenue', regions, { ...stacked, locale: 'ar-EG' }),
  'times, 160 × 100': line(days(45), size(160, 100)),
};
