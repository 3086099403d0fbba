import { expect, it } from 'vitest';
import { chartFrom, type Chart } from '../src/request/chart.ts';
import { requestOf } from '../gallery/cases.ts';
import type { Request } from '../gallery/charts.ts';

const chartOf = (request: Request): Chart => chartFrom(requestOf(request));

it.each<[string, Request, Partial<Chart>]>([
  ['without a title has an empty one', {}, { title: '' }],
  ['whose title is null has an empty one', { title: null }, { title: '' }],
  ['whose title is blank has an empty one', { title: '  ' }, { title: '' }],
  [
    'has its text with single spaces instead of control characters, except line breaks and no-break spaces',
    { title: ' a\tb\r\n\u0085c\u007f d\u00a0e\u{1fffe}f\u2028g ' },
    { title: 'a b\nc d\u00a0e f\ng' },
  ],
  ['has its letters composed with their accents', { title: 'e\u0301' }, { title: '\u00e9' }],
])('a chart %s', (_promise, request, chart) => {
  expect(chartOf(request)).toMatchObject(chart);
});
