import type { ChartSeries, DataPoint } from '../src/svg.ts';

export type Data = DataPoint[];

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
export const monthly = series(
  months,
  [1200, 2062, 2924, 3786, 4648, 5510, 6372, 1631, 2493, 3355, 4217, 5079],
);
export const sources = series(
  ['Search', 'Direct', 'Email', 'Social', 'Affiliate', 'Referral', 'Video', 'Display'],
  [1048, 335, 310, 251, 234, 147, 135, 102],
);
export const balance = series(months, [12, -4, 7.5, -9, 3, 15, -2, 0, 6, -12, 8, 10]);
export const market = numbered(16, (i) => Math.round(300 / (i + 1) ** 1.4 + 1));

const regions = ['North', 'South', 'East', 'West', 'Overseas', 'Online', 'Partners', 'Other'];

/** A series over months for each of the first regions. */
export function ofRegions(count: number): ChartSeries[] {
  return regions.slice(0, count).map((name, s) => ({
    name,
    data: series(
      months,
      months.map((_, i) => 20 + 5 * s + ((i * 7 + s * 11) % 17)),
    ),
  }));
}

/** A long series for each of the first regions. */
export function longOfRegions(count: number, points: number): ChartSeries[] {
  return regions
    .slice(0, count)
    .map((name, s) => ({ name, data: numbered(points, (i) => wave(i + s * 90) + s * 12) }));
}

export function series(labels: readonly string[], values: readonly number[]): Data {
  return labels.map((label, i) => ({ label, value: values[i] ?? 0 }));
}

export function numbered(count: number, valueOf: (i: number) => number): Data {
  return Array.from({ length: count }, (_, i) => ({ label: `Item ${i + 1}`, value: valueOf(i) }));
}

export function days(count: number): Data {
  const start = Date.UTC(2026, 0, 1);
  return Array.from({ length: count }, (_, i) => ({
    label: new Date(start + i * 86_400_000).toISOString().slice(0, 10),
    value: Math.round(60 + 30 * Math.sin(i / 9) + ((i * 7919) % 23)),
  }));
}

/** Points for this many months from a month such as `2026-01` on. */
export function monthsFrom(first: string, count: number): Data {
  const start = new Date(first);
  return Array.from({ length: count }, (_, i) => ({
    label: new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + i)).toISOString().slice(0, 7),
    value: wave(i * 11),
  }));
}

export function timed(start: string, stepMs: number, count: number): Data {
  return Array.from({ length: count }, (_, i) => ({
    label: new Date(Date.parse(start) + i * stepMs).toISOString(),
    value: wave(i * 9),
  }));
}

export function wave(i: number): number {
  return Math.round((50 + 20 * Math.sin(i / 40) + ((i * 7919) % 101) / 9) * 10) / 10;
}

export function noise(i: number): number {
  return 100 * Math.sin(i / 900) + ((i * 7919) % 997) / 12 - 40;
}
