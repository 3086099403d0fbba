import { describe, expect, it } from 'vitest';
import { chartFrom, type Chart } from '../src/request/chart.ts';
import { InvalidChart } from '../src/request/invalid-chart.ts';
import { requestOf } from '../gallery/cases.ts';
import { pie, type Request } from '../gallery/charts.ts';
import { points } from './layout/shapes.ts';

const chartOf = (request: Request): Chart => chartFrom(requestOf(request));

function refusalOf(request: Request): InvalidChart {
  try {
    chartOf(request);
  } catch (error) {
    if (error instanceof InvalidChart) return error;
  }
  throw new Error('The request is not refused.');
}

describe('a chart', () => {
  it.each<[string, Request, Partial<Chart>]>([
    ['without a title has an empty one', {}, { title: '' }],
    ['whose title is null has an empty one', { title: null }, { title: '' }],
    ['whose title is blank has an empty one', { title: '  ' }, { title: '' }],
    [
      'has its text without control characters except line breaks',
      { title: ' a\tb\r\n\u0085c\u007f d ' },
      { title: 'a b\nc d' },
    ],
    ['has its letters composed with their accents', { title: 'e\u0301' }, { title: '\u00e9' }],
  ])('%s', (_promise, request, chart) => {
    expect(chartOf(request)).toMatchObject(chart);
  });
});

describe('a request', () => {
  it.each<[string, Request, string[]]>([
    ['invalid colour', { colors: ['red', 'reddish', 'url(x)'] }, ['/colors/1', '/colors/2']],
    ['negative slice of a pie', pie(undefined, points(1, -2, 3, -4)), ['/data/1/value', '/data/3/value']],
  ])('is refused with the place of every %s', (_what, request, places) => {
    expect(refusalOf(request)).toMatchObject({
      errors: places.map((pointer) => ({ pointer })),
    });
  });

  it.each(['\u0000', '\u0008', '\u000b', '\u001f', '\ufffe', '\uffff', '\ud800', 'a\udc00b'])(
    'is refused if it has %j, which XML cannot have',
    (text) => {
      expect(refusalOf({ title: text, data: [{ label: `a${text}`, value: 1 }] })).toMatchObject({
        errors: [{ pointer: '/title' }, { pointer: '/data/0/label' }],
      });
    },
  );
});
