import { describe, expect, it } from 'vitest';
import { Problem } from '../../../server/src/errors.ts';
import { chartFrom, type Chart } from '../../../server/src/viz/chart.ts';
import { requestOf } from '../../gallery/cases.ts';
import { line, pie, type Request } from '../../gallery/charts.ts';
import { points } from './layout/shapes.ts';

const chartOf = (request: Request): Chart => chartFrom(requestOf(request));

function refusalOf(request: Request): Problem {
  try {
    chartOf(request);
  } catch (error) {
    if (error instanceof Problem) return error;
  }
  throw new Error('The request is not refused.');
}

describe('a chart', () => {
  it.each<[string, Request, Partial<Chart>]>([
    [
      'keeps the choices of its request',
      line('T', points(-1), { width: 300, height: 200 }),
      {
        kind: 'line',
        title: 'T',
        width: 300,
        height: 200,
        labels: ['a'],
        series: [{ name: '', values: [-1] }],
      },
    ],
    ['has no colours unless they are chosen', {}, { colors: [] }],
    [
      'has its colours parsed once, with their transparency',
      { colors: ['red', '#00f8'] },
      {
        colors: [
          { hex: '#ff0000', alpha: 1 },
          { hex: '#0000ff', alpha: 0.533 },
        ],
      },
    ],
    ['without a title has an empty one', {}, { title: '' }],
    ['whose title is null has an empty one', { title: null }, { title: '' }],
    ['whose title is blank has an empty one', { title: '  ' }, { title: '' }],
    [
      'has its text on one line, without control characters',
      { title: ' a\tb\r\n\u0085c\u007f d ' },
      { title: 'a b c d' },
    ],
    ['has its letters composed with their accents', { title: 'e\u0301' }, { title: '\u00e9' }],
  ])('%s', (_promise, request, chart) => {
    expect(chartOf(request)).toMatchObject(chart);
  });
});

describe('a request', () => {
  const many = Array.from({ length: 10_000 }, () => ({ label: 'x', value: -1 }));

  it.each<[string, Request, string[]]>([
    ['invalid colour', { colors: ['red', 'reddish', 'url(x)'] }, ['/colors/1', '/colors/2']],
    ['negative slice of a pie', pie(undefined, points(1, -2, 3, -4)), ['/data/1/value', '/data/3/value']],
  ])('is refused with the place of every %s', (_what, request, places) => {
    expect(refusalOf(request)).toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: places.map((pointer) => ({ pointer })),
    });
  });

  it('is refused with at most a hundred errors', () => {
    const refused = refusalOf(pie(undefined, many, { colors: Array<string>(1000).fill('reddish') }));

    expect(refused.errors).toHaveLength(100);
    expect(refused.message).toBe(
      'Value of item 1 of data must not be negative in a pie chart. There are 99 more in "errors".',
    );
    expect(refusalOf({ data: many.map(() => ({ label: '\u0001', value: 1 })) }).errors).toHaveLength(100);
  });

  it.each(['\u0000', '\u0008', '\u000b', '\u001f', '\ufffe', '\uffff', '\ud800', 'a\udc00b'])(
    'is refused if it has %j, which XML cannot have',
    (text) => {
      expect(refusalOf({ title: text, data: [{ label: `a${text}`, value: 1 }] })).toMatchObject({
        code: 'SVG_PARSE_ERROR',
        errors: [{ pointer: '/title' }, { pointer: '/data/0/label' }],
      });
    },
  );
});
