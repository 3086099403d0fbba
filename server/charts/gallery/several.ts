import {
  area,
  bar,
  dark,
  line,
  size,
  stacked,
  transparent,
  type Cases,
  type SeveralSeries,
} from './charts.ts';
import { longOfRegions, numbered, ofRegions, series, wave } from './series.ts';

const quarters = ['Q1', 'Q2', 'Q3', 'Q4'];
const signed: SeveralSeries = [
  { name: 'In', data: series(quarters, [12, 9, 15, 11]) },
  { name: 'Out', data: series(quarters, [-8, -10, -4, -12]) },
  { name: 'Fees', data: series(quarters, [-2, 1, -1, 0]) },
];
const different: SeveralSeries = [
  { name: 'Plan', data: series(['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun'], [3, 5, 4, 6, 7, 8]) },
  { name: 'Actual', data: series(['Jan', 'Feb', 'Apr', 'Jun', 'Jul'], [2, 6, 5, 9, 8]) },
];
const longNames = ofRegions(5).map(({ name, data }) => ({
  name: `${name} of the whole organization, all countries`,
  data,
}));
const revenue = 'Revenue by region';
const visitors = 'Visitors by region';

/** Charts of several series. */
export const several: Cases = {
  'series, stacked': bar(revenue, ofRegions(4), stacked),
  'series, negative': bar('Cash flow', signed),
  'series, stacked negative': bar('Cash flow', signed, stacked),
  'series, different labels': bar('Plan and actual', different),
  'series, 1,000 bars each': bar('Dense', longOfRegions(3, 1000)),
  'series, 1,000 stacked': bar('Dense', longOfRegions(3, 1000), stacked),
  'series, three lines': line(revenue, ofRegions(3)),
  'series, eight lines, dark': line('Revenue', ofRegions(8), dark),
  'series, lines with gaps': line('Plan and actual', different),
  'series, eight lines of 100': line('Eight of 100', longOfRegions(8, 100), { scale: 2 }),
  'area, one series': area('Visitors', numbered(60, wave)),
  'area, three series': area(visitors, longOfRegions(3, 40)),
  'area, transparent': area(visitors, longOfRegions(3, 40), transparent),
  'area, stacked': area(revenue, ofRegions(4), stacked),
  'series, long names': bar('Headcount', longNames, size(400, 300)),
};
