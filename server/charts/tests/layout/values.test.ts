import { describe, expect, it } from 'vitest';
import {
  area,
  bar,
  horizontal,
  kindsWith,
  line,
  pie,
  size,
  stacked,
  type Request,
} from '../../gallery/charts.ts';
import { numbered, type Data } from '../../gallery/series.ts';
import { capHeight } from '../../src/layout/sizes.ts';
import {
  assertWords,
  itHasWords,
  drawn,
  findText,
  measuredBars,
  points,
  sceneOf,
  seriesOf,
  wordsIn,
} from './shapes.ts';

const series = seriesOf([10, 20, 30], [35, 25, 15]);
const narrow = seriesOf(Array<number>(40).fill(15), Array<number>(40).fill(999));
const shares = seriesOf([0.1, 1.5], [4.1, 1.5], [0.3, 1.5]);
const thousands = (count: number): Data => numbered(count, (i) => 1000 + i);
const always = { values: 'always' } as const;
const card = { values: 'last', axes: 'none', width: 240, height: 120 } as const;
const lowest = { ...always, height: 360 };
const de = { locale: 'de' } as const;
const never = { values: 'never' } as const;
const allStacked = { ...stacked, ...always };

describe('values', () => {
  itHasWords({
    'are written at the bars of one series': [bar(points(1200, 2.5)), '1,200.0 | 2.5'],
    'are written where some are null': [bar(points(1, null, 2.5)), '1.0 | 2.5'],
    'of lines are written on request': [line(series, always), '25 | A | 30 | B | 15'],
    'of last points follow their names': [line(series), 'A | 30 | B | 15'],
    'are there with the name of a single series, in lines': [line(seriesOf([3, 20])), 'A | 20'],
    'are there with the name of a single series, in bars': [bar(seriesOf([3, 20])), 'A | 3 | 20'],
    'of last points are written next to lines without values': [line(seriesOf([10, 7], [null])), '7'],
    'of last points are written where they are low': [line(points(60, 0), card), '0', '60'],
    'of points have room below the lowest points': [
      line(points(58, 88, 41, 52, 75, 83, 41, 63, 93, 71, 46, 77, 98, 59), lowest),
      '41 | 41 | 46',
    ],
    'of millions have two decimals': [bar(points(1102e3, 1098e3, 125e4), de), '1,10 | 1,25'],
    'of millions are in full next to small values': [bar(points(15e5, 800), de), '1.500.000 | 800', '0,00'],
    'of close millions differ': [bar(points(10_001e2, 10_002e2), de), '1.000.100 | 1.000.200'],
    'of groups are written if all fit': [bar(series), '15 | 25 | 35'],
    'of narrow groups are written on request': [bar(narrow, always), '999 | 999'],
    'of narrow groups are not written without a request': [bar(narrow), '0', '999'],
    'of stacks are written where they fit, with the sums above them': [
      bar(series, allStacked),
      '10 | 35 | 45 | 45 | 45',
    ],
    'of stacks are sums': [bar(seriesOf([10, 20], [35, 30]), stacked), '45 | 50', '35 | 0'],
    'of equal stacks are not written without a request': [bar(shares, stacked), '', '4.5'],
    'of stacks in both directions are not written without a request': [
      bar(seriesOf([10.5, -7], [-4, -3.5]), stacked),
      '',
      '6.5 | −10.5',
    ],
    'of stacks have the unit of the sums': [
      bar(seriesOf([600_000], [600_000]), allStacked),
      '0.6M | 1.2M',
      '600k',
    ],
    'of stacked areas are the sums': [area(series, allStacked), '45 | 45 | 45'],
    'of stacks in both directions are net sums, and sums of losses are below them': [
      bar(seriesOf([10.5, -7], [-4, -3.5]), allStacked),
      '6.5 | −10.5',
    ],
    'are as many as fit where bars are narrow': [bar(thousands(100), always), '1,000 | 1,099'],
    'of slices are next to their shares': [
      pie(points(1, 3), { ...always, unit: ' kg' }),
      'a | 1 kg (25%) | b | 3 kg (75%)',
    ],
    'are left out of bars on request': [bar(points(6.5, 3), never), '', '6.5'],
    'are left out of slices on request': [pie(points(1, 3), never), 'a | b', '25% | 75%'],
  });

  it('stand above the points of a line, and below low ones, outside their dots', () => {
    const request = line(points(11, 12, 13, 9, 13, 13), { ...always, y_min: 0 });
    const [{ centers, radius } = { centers: [], radius: NaN }] = drawn('dots', request);
    const { texts = [], size: height = NaN } =
      drawn('texts', request).find(({ weight }) => weight === 'bold') ?? {};
    [true, false, false, true, false, false].forEach((isLow, i) => {
      const [y, point] = [texts[i]?.y ?? NaN, centers[2 * i + 1] ?? NaN];

      expect(isLow ? y - height * capHeight - point : point - y).toBeGreaterThan(radius + 2);
    });
  });

  it('are turned where they are wider than their bars', () => {
    const rising = numbered(24, (i) => 1000 + 180 * i);
    const texts = drawn('texts', bar(rising, { ...always, ...size(600, 400) }));
    const turned = texts.flatMap((each) => (each.angle === 90 ? each.texts : []));

    expect(turned.filter(({ text }) => /^\d,\d{3}$/.test(text))).toHaveLength(24);
  });

  it('have the colour of titles inside bars if it is legible there, and otherwise white or black', () => {
    const texts = drawn('texts', bar(series, allStacked));

    expect(texts.map(({ fill }) => fill.hex)).toEqual(expect.arrayContaining(['#ffffff', '#1b2330']));
  });
});

it('a picture below 120 by 80 pixels has no text', () => {
  const wordsAt = (width: number): string[] => wordsIn(bar('T', points(1, 2), { width, height: 80 }));

  expect(wordsAt(119)).toEqual([]);
  expect(wordsAt(120)).not.toEqual([]);
});

describe('a reference line', () => {
  const lines = [{ value: 15, label: 'Target' }];
  const dashesIn = (request: Request): Float64Array[] =>
    drawn('path', request).flatMap(({ dash = [], stroke, points: path }) =>
      dash.length > 0 && stroke.hex !== '#ffffff' && path.length === 4 ? [Float64Array.from(path)] : [],
    );

  it.each<[string, Request]>([
    ['bars', bar(points(5, 30))],
    ['a line', line(points(5, 30))],
    ['several lines', line(seriesOf([5, 30]))],
    ['groups', bar(seriesOf([5, 30]))],
    ['stacks', bar(seriesOf([5, 30]), stacked)],
    ['stacked areas', area(seriesOf([5, 30]), stacked)],
  ])('is dashed, and crosses the plot of %s at its value', (_what, request) => {
    const crossed = { ...request, ...never, lines: [{ value: 20, label: 'Target' }] };
    const [path] = dashesIn(crossed);

    expect(path?.[1]).toBe(path?.[3]);
    expect(Math.abs(findText(sceneOf(crossed), '20').y - (path?.[1] ?? 0) - 4)).toBeLessThan(1);
    assertWords({ ...crossed, values: 'auto' }, 'Target');
  });

  it.each([bar, horizontal])('crosses bars, but not their values: %o', (draw) => {
    const request = draw(points(5.2, 4.1, 4.03, 3.9), { lines: [{ value: 4, label: 'Target' }] });
    const along = draw === bar ? 1 : 0;
    const line = dashesIn(request)[0]?.[along] ?? NaN;
    const bars = measuredBars(request)[0] ?? [];
    const texts = ['5.20', '4.10', '4.03', '3.90'].map((word) => findText(sceneOf(request), word));

    for (const [i, { x, y }] of texts.entries()) {
      const [low = NaN, high = NaN] = [bars[i]?.low, bars[i]?.high];
      const middle = draw === bar ? -(y - 4) : x;
      expect(middle).toSatisfy((at: number) => at > low + 3 && at < high - 3);
      expect(Math.abs((draw === bar ? -middle : middle) - line)).toBeGreaterThan(5);
    }
  });

  it('is vertical across horizontal bars', () => {
    const [path] = dashesIn(horizontal(points(10, 20), { lines }));

    expect(path?.[0]).toBe(path?.[2]);
  });

  it.each(kindsWith('lines'))('extends the axis of %o to its value', (draw) => {
    const words = wordsIn(draw(points(1, 2), { lines: [{ value: 90 }, { value: -30 }] }));

    expect(words.some((word) => Number(word) >= 80)).toBe(true);
    expect(words.some((word) => Number(word.replace('−', '-')) <= -30)).toBe(true);
  });

  it('is left out where the limits of the axis exclude it', () => {
    const request = line(points(1, 2), { y_max: 10, lines });

    expect(dashesIn(request)).toEqual([]);
    assertWords(request, '', 'Target');
  });
});
