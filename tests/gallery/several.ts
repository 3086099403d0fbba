import type { Schemas } from '../../server/src/operation.ts';
import { months } from './data.ts';
import { numbered, series, wave } from './series.ts';

type Request = Partial<Schemas['ChartRequest']>;
type Series = Schemas['ChartSeries'][];

const regions = ['North', 'South', 'East', 'West', 'Overseas', 'Online', 'Partners', 'Other'];

function monthly(count: number): Series {
  return regions.slice(0, count).map((name, s) => ({
    name,
    data: series(
      months,
      months.map((_, i) => 20 + 5 * s + ((i * 7 + s * 11) % 17)),
    ),
  }));
}

function long(count: number, points: number): Series {
  return regions
    .slice(0, count)
    .map((name, s) => ({ name, data: numbered(points, (i) => wave(i + s * 90) + s * 12) }));
}

const signed: Series = [
  { name: 'In', data: series(['Q1', 'Q2', 'Q3', 'Q4'], [12, 9, 15, 11]) },
  { name: 'Out', data: series(['Q1', 'Q2', 'Q3', 'Q4'], [-8, -10, -4, -12]) },
  { name: 'Fees', data: series(['Q1', 'Q2', 'Q3', 'Q4'], [-2, 1, -1, 0]) },
];
const different: Series = [
  { name: 'Plan', data: series(['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun'], [3, 5, 4, 6, 7, 8]) },
  { name: 'Actual', data: series(['Jan', 'Feb', 'Apr', 'Jun', 'Jul'], [2, 6, 5, 9, 8]) },
];

/** Charts of several series. */
export const several: Readonly<Record<string, Request>> = {
  'series, two bars': { title: 'Revenue by region', series: monthly(2), y_title: 'Million euros' },
  'series, eight bars': { title: 'Revenue by region', series: monthly(8) },
  'series, stacked': { title: 'Revenue by region', series: monthly(4), stacked: true },
  'series, eight stacked, dark': { title: 'Revenue', series: monthly(8), stacked: true, theme: 'dark' },
  'series, negative': { title: 'Cash flow', series: signed },
  'series, stacked negative': { title: 'Cash flow', series: signed, stacked: true },
  'series, different labels': { title: 'Plan and actual', series: different },
  'series, 1,000 bars each': { title: 'Dense', series: long(3, 1000) },
  'series, 1,000 stacked': { title: 'Dense', series: long(3, 1000), stacked: true },
  'series, three lines': { chart_type: 'line', title: 'Revenue by region', series: monthly(3) },
  'series, eight lines, dark': { chart_type: 'line', title: 'Revenue', series: monthly(8), theme: 'dark' },
  'series, lines with gaps': { chart_type: 'line', title: 'Plan and actual', series: different },
  'series, eight lines of 100': { chart_type: 'line', title: 'Eight of 100', series: long(8, 100), scale: 2 },
  'area, one series': { chart_type: 'line', title: 'Visitors', data: numbered(60, wave), area: true },
  'area, one series, dark': {
    chart_type: 'line',
    title: 'Visitors',
    data: numbered(60, wave),
    area: true,
    theme: 'dark',
  },
  'area, three series': { chart_type: 'line', title: 'Visitors by region', series: long(3, 40), area: true },
  'area, three series, dark': {
    chart_type: 'line',
    title: 'Visitors by region',
    series: long(3, 40),
    area: true,
    theme: 'dark',
  },
  'area, gaps': { chart_type: 'line', title: 'Plan and actual', series: different, area: true },
  'area, transparent': {
    chart_type: 'line',
    title: 'Visitors by region',
    series: long(3, 40),
    area: true,
    background: 'transparent',
  },
  'area, stacked': {
    chart_type: 'line',
    title: 'Revenue by region',
    series: monthly(4),
    area: true,
    stacked: true,
  },
  'area, eight stacked, dark': {
    chart_type: 'line',
    title: 'Revenue by region',
    series: monthly(8),
    area: true,
    stacked: true,
    theme: 'dark',
  },
  'area, stacked negative': {
    chart_type: 'line',
    title: 'Cash flow',
    series: signed,
    area: true,
    stacked: true,
  },
  'area, stacked 1,000': {
    chart_type: 'line',
    title: 'Dense',
    series: long(3, 1000),
    area: true,
    stacked: true,
  },
  'area, stacked, one label': {
    chart_type: 'line',
    title: 'One month',
    series: monthly(3).map(({ name, data }) => ({ name, data: data.slice(0, 1) })),
    area: true,
    stacked: true,
  },
  'area, stacked, 320 × 200': {
    chart_type: 'line',
    title: 'Revenue',
    width: 320,
    height: 200,
    series: monthly(4),
    area: true,
    stacked: true,
  },
  'series, long names': {
    title: 'Headcount',
    width: 400,
    height: 300,
    series: monthly(5).map(({ name, data }) => ({
      name: `${name} of the whole organization, all countries`,
      data,
    })),
  },
  'series, own colours': {
    chart_type: 'line',
    title: 'Two colours in turn',
    series: monthly(3),
    colors: ['teal', 'crimson'],
  },
  'series, no points': { title: 'Nothing yet', series: [{ name: 'North', data: [] }] },
  'series, 160 × 100': { series: monthly(3), width: 160, height: 100 },
  'series, 64 × 40': { chart_type: 'line', series: monthly(3), width: 64, height: 40 },
};
