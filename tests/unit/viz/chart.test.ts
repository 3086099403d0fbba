import { describe, expect, it } from 'vitest';
import { Problem } from '../../../server/src/errors.ts';
import { chartFrom, type Chart } from '../../../server/src/viz/chart.ts';
import { requestOf } from '../../gallery/cases.ts';

type Request = Parameters<typeof requestOf>[0];

describe('chartFrom', () => {
  it('keeps the choices of the request', () => {
    const chart = chartOf({
      chart_type: 'line',
      title: 'T',
      width: 300,
      height: 200,
      data: [{ label: 'a', value: 1 }],
    });

    expect(chart).toMatchObject({
      kind: 'line',
      title: 'T',
      width: 300,
      height: 200,
      labels: ['a'],
      series: [{ name: '', values: [1] }],
      colors: [],
    });
  });

  it.each([null, undefined, '', '  '])('has an empty title for %j', (title) => {
    expect(chartOf(title === undefined ? {} : { title }).title).toBe('');
  });

  it('parses colours once, with their transparency', () => {
    expect(chartOf({ colors: ['red', '#00f8'] }).colors).toEqual([
      { hex: '#ff0000', alpha: 1 },
      { hex: '#0000ff', alpha: 0.533 },
    ]);
  });

  it('names every invalid colour', () => {
    expect(problem({ colors: ['red', 'reddish', 'url(x)'] })).toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [{ pointer: '/colors/1' }, { pointer: '/colors/2' }],
    });
  });

  it('names every negative slice of a pie', () => {
    const data = [1, -2, 3, -4].map((value) => ({ label: 'x', value }));

    expect(problem({ chart_type: 'pie', data })).toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [{ pointer: '/data/1/value' }, { pointer: '/data/3/value' }],
    });
  });

  it('reports the first hundred errors', () => {
    const negative = Array.from({ length: 10_000 }, () => ({ label: 'x', value: -1 }));
    const unwritable = negative.map(() => ({ label: '\u0001', value: 1 }));

    const refused = problem({ chart_type: 'pie', data: negative, colors: Array(1000).fill('reddish') });

    expect(refused.errors).toHaveLength(100);
    expect(refused.message).toBe(
      'Value of item 1 of data must not be negative in a pie chart. There are 99 more in "errors".',
    );
    expect(problem({ data: unwritable }).errors).toHaveLength(100);
  });

  it.each(['bar', 'line'] as const)('takes negative values in a %s chart', (chart_type) => {
    expect(chartOf({ chart_type, data: [{ label: 'x', value: -1 }] }).series).toEqual([
      { name: '', values: [-1] },
    ]);
  });

  it.each(['\u0000', '\u0008', '\u000b', '\u001f', '\ufffe', '\uffff', '\ud800', 'a\udc00b'])(
    'cannot write %j in XML',
    (text) => {
      expect(problem({ title: text, data: [{ label: `a${text}`, value: 1 }] })).toMatchObject({
        code: 'SVG_PARSE_ERROR',
        errors: [{ pointer: '/title' }, { pointer: '/data/0/label' }],
      });
    },
  );

  it('shows text on one line, without control characters', () => {
    expect(chartOf({ title: ' a\tb\r\n\u0085c\u007f d ' }).title).toBe('a b c d');
  });

  it('composes letters and their accents', () => {
    expect(chartOf({ title: 'e\u0301' }).title).toBe('\u00e9');
  });
});

function chartOf(request: Request): Chart {
  return chartFrom(requestOf(request));
}

function problem(request: Request): Problem {
  try {
    chartOf(request);
  } catch (error) {
    if (error instanceof Problem) return error;
  }
  throw new Error('The request is not refused.');
}
