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
const oneMonth = ofRegions(3).map(({ name, data }) => ({ name, data: data.slice(0, 1) }));
const revenue = 'Revenue by region';
const visitors = 'Visitors by region';

/** Charts of several series. */
export const several: Cases = {
  'series, stacked': bar(revenue, ofRegions(4), stacked),
  'series, eight stacked, dark': bar('Revenue', ofRegions(8), { ...stacked, ...dark }),
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
  'area, gaps': area('Plan and actual', different),
  'area, transparent': area(visitors, longOfRegions(3, 40), transparent),
  'area, stacked': area(revenue, ofRegions(4), stacked),
  'area, stacked, one label': area('One month', oneMonth, stacked),
  'area, stacked, 320 × 200': area('Revenue', ofRegions(4), { ...stacked, ...size(320, 200) }),
  'series, long names': bar('Headcount', longNames, size(400, 300)),
  'series, own colours': line('Two colours in turn', ofRegions(3), { colors: ['teal', 'crimson'] }),
  'series, no points': bar('Nothing yet', [{ name: 'North', data: [] }]),
  'series, 64 × 40': line(undefined, ofRegions(3), size(64, 40)),
};
