import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forAny } from '../for-any.ts';
import { chartFrom } from '../../src/request/chart.ts';
import { textWidth } from '../../src/text/text-width.ts';
import { requestOf } from '../../gallery/cases.ts';
import type { Data } from '../../gallery/series.ts';
import { area, bar, horizontal, line, pie, size, stacked, type Request } from '../../gallery/charts.ts';
import { itHasWords, drawn, findText, measuredBars, named, points, sceneOf, wordsIn } from './shapes.ts';

const names = (count: number, nameOf: (i: number) => string): Data =>
  named(...Array.from({ length: count }, (_, i) => nameOf(i)));
const items = (count: number): Data => names(count, (i) => `Long item ${i}`);
const long = [
  'Department of Environmental Protection',
  'Office of Management and Budget',
  'Research & Development',
];
const routes = ['orders', 'invoices', 'payments', 'shipments', 'returns', 'products', 'users', 'roles'].map(
  (name) => `/api/v1/customers/${name}`,
);
const answer = 'I found another product that does what I need at a lower price';
const regions = ['North America', 'Latin America', 'Western Europe', 'Eastern Europe', 'Asia Pacific'];
const funnel = ['Visited', 'Registered', 'Activated', 'Subscribed', 'Recommended'];
const costs = ['Research and development', 'Sales, general and administrative', 'Amortization', 'a', 'b'];
const departments = 'Krankenversicherung Vertrieb Personalabteilung Qualitätssicherung Öffentlichkeitsarbeit'
  .split(' ')
  .concat('Forschung und Entwicklung');
const areasOf = (names: string[], fields: Request): Request =>
  area(
    [1, 2].map((name) => ({ name: `${name}`, data: named(...names) })),
    { ...stacked, ...fields },
  );
const withNull = points(1, 2, null, 1, 2);

describe('category labels', () => {
  itHasWords({
    'stand side by side when they fit': [bar(named('one', 'two')), 'one | two'],
    'wrap between words when they do not': [bar(named(...long, ...long)), 'Office of | Budget'],
    'break after marks where words do not fit': [
      bar(named(...routes)),
      '/api/v1/ | customers/ | orders | invoices',
    ],
    'break before capitals where words do not fit': [
      bar(named('customerOrders', 'b', 'c', 'd'), { width: 300 }),
      'customer',
    ],
    'have as many lines as the height allows': [
      bar(named(answer, 'No', 'Yes', 'Other'), size(400, 300)),
      'I found another | product that does | what I need at a | lower price',
    ],
    'are turned before they lose most of their letters': [
      bar(names(16, (i) => `${i} 北京市朝阳区建国路八十八号`)),
      '7 北京市朝阳区建国路八十…',
    ],
    'name the first and the last time of a card, however close the other times are': [
      line(named('2026-01-01T10:31', '2026-02-03T10:45', '2026-12-24T23:55'), size(240, 120)),
      'Jan 1, 2026, 10:31 AM | Dec 24, 11:55 PM',
    ],
    'are below both ends of stacked areas': [areasOf(regions, size(1000, 600)), regions.join(' | ')],
    'are below the last point where it is near the edge': [areasOf(funnel, size(480, 288)), 'Recommended'],
    'are thinned without losing the last one': [
      line(items(31), { width: 600 }),
      'Long item 20 | Long item 30',
    ],
    'are thinned without losing the last one if few points have names': [
      line(
        names(365, (i) => (i % 30 === 0 || i === 364 ? `${i} days` : '')),
        size(240, 120),
      ),
      '364 days',
    ],
    'are round numbers if they count up': [line(names(60, (i) => `${i + 1}`)), '10 | 60', '1 | 11'],
    'are thinned if they count in fractions': [line(names(200, (i) => `${i + 0.5}`)), '0.5'],
    'are turned if they then lose fewer letters': [
      bar(named(...departments), size(600, 400)),
      'Krankenversicherung | Öffentlichkeitsarbeit',
    ],
    'stay upright if they lose only a few letters': [
      bar(named(...costs), size(480, 300)),
      'development | Sales, | general and | Amortization',
    ],
    'are there for null values, in bars': [bar(withNull), 'a | b | c | d | e'],
    'are there for null values, in lines': [line(withNull), 'a | b | c | d | e'],
    'are there if the request lists them without a point': [
      bar(named('a', 'b'), { labels: ['a', 'x', 'b'] }),
      'x',
    ],
  });

  it.each([
    ['turned when they cannot be wrapped', 18, 45],
    ['turned, with a narrower plot, if there are no numbers on its left', 18, 45, {}],
    ['vertical where labels at 45 degrees would touch', 50, 90],
  ])('are %s', (_how, count, angle, fields = { y_min: 0 }) => {
    const data = items(count);
    const [turned] = drawn('texts', { data, ...fields }).filter((texts) => texts.angle === angle);

    expect(turned?.texts.map(({ text }) => text)).toEqual(data.map(({ label }) => label));
  });

  it('are cut at the start, and none is left out, if only their middles differ', () => {
    const url = (i: number): string => `https://shop.example.com/products/category-${i}/overview/index.html`;
    const words = wordsIn(bar(names(30, url)));

    expect(words.filter((word) => /^…\S*-\d+\/overview\/index\.html$/.test(word))).toHaveLength(30);
  });

  it('are selected quickly even if the caller has named thousands of points', () => {
    const data = names(10_000, (i) => (i % 2 === 0 ? `${'Long name '.repeat(40)}${i}` : ''));
    const words = wordsIn(line(data, { width: 4096 }));

    expect(words.filter((word) => word.startsWith('Long')).length).toBeLessThan(60);
  });
});

describe('labels at the left of horizontal bars', () => {
  const width = { min: 700, max: 1600 };

  it('are next to their own bars', () => {
    const request = horizontal(named('Berlin', 'Paris', 'Rome'));
    const [bars = []] = measuredBars(request);

    ['Berlin', 'Paris', 'Rome'].forEach((name, i) => {
      const { x, y } = findText(sceneOf(request), name);
      const { low = 0, at = 0, breadth = 0 } = bars[i] ?? {};
      expect([x < low, y > at, y < at + breadth]).toEqual([true, true, true]);
    });
  });

  it('are whole if they fit into half of the width, on one line or more', () => {
    const labels = fc.uniqueArray(fc.lorem({ maxCount: 4 }), { minLength: 1, maxLength: 12 });
    forAny(200, [labels, fc.integer(width), fc.integer({ min: 400, max: 900 })], (all, ...[w, h]) => {
      const whole = all.filter((label) => textWidth(label, 16) < w * 0.35);
      const words = wordsIn(horizontal(named(...all), size(w, h))).join(' ');

      expect(whole.filter((label) => !words.includes(label))).toEqual([]);
    });
  });

  it('leave at least half of the width to the bars, and more if they fit into two short lines', () => {
    const request = horizontal(named('W'.repeat(400), 'b'));
    const startOf = (name: string): number => measuredBars(horizontal(named(name)))[0]?.[0]?.low ?? NaN;

    expect(startOf('Research and Development')).toBeLessThan(150);
    expect(startOf('Administration of Justice and Home Affairs')).toBeGreaterThan(250);
    expect(drawn('bars', request)[0]?.bars[1]?.width).toBeGreaterThan(300);
    expect(wordsIn(request).some((word) => /^W+…$/.test(word))).toBe(true);
  });
});

it('the labels of a request order points and slices, and add no slices', () => {
  const { labels, series } = chartFrom(requestOf({ data: named('a', 'b', 'c'), labels: ['c', 'a'] }));
  const slices = chartFrom(requestOf(pie(named('a', 'b'), { labels: ['b', 'x'] })));

  expect(labels).toEqual(['c', 'a', 'b']);
  expect(series).toEqual([{ name: '', values: [3, 1, 2] }]);
  expect(slices.labels).toEqual(['b', 'a']);
});
