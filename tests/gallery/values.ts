import type { Schemas } from '../../server/src/operation.ts';
import { balance, monthly, months, sources } from './data.ts';
import { numbered, series, wave } from './series.ts';

type Request = Partial<Schemas['ChartRequest']>;

const shares = series(['2022', '2023', '2024', '2025', '2026'], [0.18, 0.221, 0.257, 0.31, 0.342]);

const regions = ['North', 'South', 'East'].map((name, s) => ({
  name,
  data: series(
    months,
    months.map((_, i) => 20 + 5 * s + ((i * 7 + s * 11) % 17)),
  ),
}));

/** Charts whose values are written, limited or compared. */
export const valueCases: Readonly<Record<string, Request>> = {
  'values, euros': { title: 'Umsatz', data: monthly, format: 'currency', currency: 'EUR', locale: 'de' },
  'values, millions of dollars': {
    title: 'Revenue',
    data: series(months, [1.2e6, 1.5e6, 1.35e6, 1.8e6, 2.1e6, 2.4e6, 2e6, 2.2e6, 2.6e6, 2.9e6, 3.1e6, 3.4e6]),
    format: 'currency',
    currency: 'USD',
  },
  'values, percent': { title: 'Share of renewable energy', data: shares, format: 'percent' },
  'values, line': { chart_type: 'line', title: 'Revenue', data: monthly, values: 'always' },
  'values, three lines': { chart_type: 'line', title: 'Revenue', series: regions, values: 'always' },
  'values, groups': { title: 'Revenue', series: regions, values: 'always' },
  'values, groups, 320 × 200': {
    title: 'Revenue',
    series: regions,
    values: 'always',
    width: 320,
    height: 200,
  },
  'values, stacked, dark': {
    title: 'Revenue',
    series: regions,
    stacked: true,
    values: 'always',
    theme: 'dark',
  },
  'values, stacked, horizontal': {
    title: 'Revenue',
    series: regions,
    stacked: true,
    values: 'always',
    orientation: 'horizontal',
  },
  'values, stacked areas': {
    chart_type: 'line',
    title: 'Revenue',
    series: regions,
    area: true,
    stacked: true,
    values: 'always',
  },
  'values, forty bars': { title: 'Forty', data: numbered(40, (i) => 900 + 100 * wave(i)), values: 'always' },
  'values, pie': { chart_type: 'pie', title: 'Traffic by source', data: sources, values: 'always' },
  'values, pie without shares': { chart_type: 'pie', title: 'Traffic', data: sources, values: 'never' },
  'values, gaps': { title: 'With gaps', data: [...balance.slice(0, 5), { label: 'x', value: null }] },
  'axis, bars cut off': { title: 'Outlier', data: [...monthly, { label: 'X', value: 90_000 }], y_max: 8000 },
  'axis, line between limits': { chart_type: 'line', title: 'Cut', data: balance, y_min: -5, y_max: 5 },
  'axis, stacked areas cut off': {
    chart_type: 'line',
    title: 'Revenue',
    series: regions,
    area: true,
    stacked: true,
    y_max: 100,
  },
  'axis, percent from 0 to 100': {
    title: 'Renewable energy',
    data: shares,
    format: 'percent',
    y_min: 0,
    y_max: 1,
  },
  'axis, logarithmic line': {
    chart_type: 'line',
    title: 'Transistors',
    data: numbered(12, (i) => 2300 * 3.4 ** i),
    y_scale: 'log',
  },
  'axis, logarithmic bars': {
    title: 'Latency',
    data: numbered(8, (i) => 0.02 * 5 ** i),
    y_scale: 'log',
    unit: ' ms',
  },
  'axis, logarithmic bars, horizontal': {
    title: 'Latency',
    data: numbered(8, (i) => 0.02 * 5 ** i),
    y_scale: 'log',
    unit: ' ms',
    orientation: 'horizontal',
  },
  'lines, bars': {
    title: 'Revenue',
    data: monthly,
    lines: [
      { value: 5000, label: 'Target' },
      { value: 3589, label: 'Average' },
    ],
  },
  'lines, horizontal bars': {
    title: 'Revenue',
    data: monthly,
    orientation: 'horizontal',
    lines: [
      { value: 5000, label: 'Target' },
      { value: 3589, label: 'Average' },
    ],
  },
  'lines, above all values': {
    chart_type: 'line',
    title: 'Temperature',
    data: balance,
    lines: [{ value: 20, label: 'Limit' }, { value: -10, label: 'Frost' }, { value: 2.5 }],
  },
  'lines, several lines, dark': {
    chart_type: 'line',
    title: 'Revenue',
    series: regions,
    values: 'always',
    theme: 'dark',
    lines: [
      { value: 30, label: 'Average' },
      { value: 31, label: 'Target' },
      { value: 45, label: 'Capacity of the plant' },
    ],
  },
  'lines, stacked, 320 × 200': {
    title: 'Revenue',
    series: regions,
    stacked: true,
    width: 320,
    height: 200,
    lines: [{ value: 100, label: 'Plan' }],
  },
  'captions, bars': {
    title: 'Revenue by month',
    subtitle: 'In thousands of euros, without one-off effects',
    source: 'Source: annual report 2026, own calculation',
    data: monthly,
  },
  'captions, pie, dark': {
    chart_type: 'pie',
    title: 'Traffic by source',
    subtitle: 'Visits in the first quarter',
    source: 'Source: web server logs',
    data: sources,
    theme: 'dark',
  },
  'captions, lines, 320 × 200': {
    chart_type: 'line',
    title: 'Revenue by region',
    subtitle: 'In thousands of euros, without one-off effects of any kind',
    source: 'Source: annual report 2026, own calculation',
    series: regions,
    width: 320,
    height: 200,
  },
  'values, unit': { title: 'Temperature', chart_type: 'line', data: balance, unit: ' °C' },
};
