import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forAny } from '../for-any.ts';
import { logScale, shareAt, valueScale } from '../../src/layout/axes/value-scale.ts';
import { english } from '../../src/text/number-formats.ts';
import { bar, horizontal, kindsWith, line, size, stacked, type Request } from '../../gallery/charts.ts';
import { assertWords, drawn, itHasWords, measuredBars, points, sceneOf, seriesOf } from './shapes.ts';

const never = { values: 'never' } as const;
const francs = { ...never, locale: 'fr', format: 'currency', currency: 'CHF' } as const;
const euros = { locale: 'de', format: 'currency', currency: 'EUR', subtitle: 'Netto' } as const;
const swiss = { ...francs, locale: 'de-CH' } as const;
const low = { ...euros, ...size(480, 160) } as const;
const card = size(240, 120);
const logarithmic = { y_scale: 'log' } as const;

/** The ticks, from bottom to top. */
function ticksIn(request: Request): string[] {
  const [ticks] = drawn('texts', request).filter(({ anchor }) => anchor === 'end');
  return ticks?.texts.map(({ text }) => text) ?? [];
}

describe('a scale', () => {
  it.each([
    [0, 6372, 7, ['0', '1,000', '2,000', '3,000', '4,000', '5,000', '6,000', '7,000']],
    [0, 0, 3, ['0', '0.5', '1.0']],
    [5, 5, 3, ['0', '1', '2', '3', '4', '5']],
    [-5, -5, 3, ['−5', '−4', '−3', '−2', '−1', '0']],
  ])('from %d to %d has round numbers at even distances', (low, high, count, texts) => {
    const scale = valueScale(low, high, count);

    expect(scale.ticks.map(({ text }) => text)).toEqual(texts);
    scale.ticks.forEach(({ value }, i) => {
      expect(shareAt(scale, value)).toBeCloseTo(i / (texts.length - 1), 12);
    });
  });
});

describe('the value axis', () => {
  const halves = seriesOf([0.5, 2.5], [0.5, 2.5]);
  const manyRows = seriesOf(...[10, 20, 30, 40, 50].map((most) => [most, most / 2, most / 3]));

  itHasWords({
    'of bars has zero': [bar(points(1004, 1016), never), '0'],
    'of negative bars has zero': [bar(points(-3, -9), never), '0'],
    'of a line has zero where the values come near it': [line(points(30, 100)), '0 | 100'],
    'of a line below zero has zero too': [line(points(-100, -30)), '0 | −100'],
    'of a line far from zero leaves zero out': [line(points(1004, 1016)), '', '0'],
    'of groups has ticks between whole numbers': [bar(halves, never), '1.5'],
    'of stacks has ticks at whole sums': [bar(halves, { ...stacked, ...never }), '', '0.5'],
    'has more decimals than the request if its steps need them': [
      bar(points(0.2, 0.5, 0.9), { ...never, decimals: 0 }),
      '0.2 | 0.4',
    ],
    'has numbers where not every value is written': [
      horizontal(manyRows, { ...size(480, 300), values: 'always' }),
      '0',
    ],
    'of a low picture has few ticks': [bar('x', points(-40.1), size(800, 109)), '0 | −40', '−10'],
    'has a long unit once': [line(points(1e6, 3e6), euros), 'Netto (Mio. €) | 0 | 2 | 3'],
    'has no long unit that the subtitle names': [
      bar(points(1), { unit: ' kWh', subtitle: 'In kWh' }),
      'In kWh',
    ],
    'has a long unit once below zero': [bar(points(-34e5), francs), 'M CHF | −3,0 | 0'],
    'keeps a currency before numbers': [line(points(0, 3e6), swiss), 'CHF 3.0 Mio.'],
    'has a long unit at its end in a low picture': [line('x', points(0, 3e6), low), '0 | 3 Mio. €'],
    'has a long unit once below zero in a low picture': [
      line('x', points(-1e6, -6e6), low),
      '0 | −2 Mio. € | −4 | −6',
    ],
    'has no numbers where a card writes its last value': [
      line(points(0, 3, 20), card),
      '20 | a | c',
      '0 | 10 | b',
    ],
    'has numbers where a card goes below zero': [line(points(-12, 3, 17), card), '−10 | 0 | 17 | b'],
    'has numbers where a card has a reference line': [
      line(points(0, 3, 20), { ...card, lines: [{ value: 12, label: 'Goal' }] }),
      '0 | 10 | Goal',
    ],
    'has numbers where a card does not begin at zero': [line(points(15, 13, 20), card), '16 | 20'],
    'ends at y_max': [bar(points(52, 61), { y_max: 100 }), '0 | 100', '120'],
    'begins at y_min': [line(points(52, 61), { y_min: -20 }), '−20', '−40'],
  });

  it('has both limits as its ends, and round ticks between limits that are not round', () => {
    const between = ticksIn(line(points(52, 61, 58), { y_min: 50, y_max: 70 }));
    const odd = ticksIn(line(points(1, 9), { y_min: 0.7, y_max: 9.3 }));

    expect([between[0], between.at(-1)]).toEqual(['50', '70']);
    expect(odd.every((tick) => /^[1-9]$/.test(tick))).toBe(true);
    expect(odd.length).toBeGreaterThan(2);
  });

  it('has finite coordinates for the largest, the smallest and the closest numbers and limits', () => {
    const [small, large] = [1e-310, 1e300];
    const lists = [points(5e-324, 1, large), points(5e-324), points(large)];
    const charts = [
      line(points(small, small, small), { y_min: small, y_max: 2 * small }),
      line(points(small, small, small), { y_min: small, y_max: 2 * small, ...logarithmic }),
      line(points(-small, -small, -small), { y_min: -small, y_max: small }),
      line(points(0, 0, 0), { y_max: small }),
      line(points(-small, -small, -small), { y_max: 0 }),
      ...kindsWith('y_scale').flatMap((draw) => lists.map((data) => draw(data, logarithmic))),
    ];

    for (const request of charts)
      expect(JSON.stringify(sceneOf(request).shapes), JSON.stringify(request)).not.toContain('null');
  });

  it('cuts bars off with a flat end, and writes their whole values', () => {
    const request = bar(points(5, 500), { y_max: 10 });
    const top = Math.min(...drawn('rules', request).flatMap(({ lines }) => lines.map(([, y = 0]) => y)));
    const cut = measuredBars(request)[0]?.[1];

    expect(cut?.rounded).toBe('none');
    expect(Math.abs((cut?.high ?? 0) + top)).toBeLessThanOrEqual(1);
    assertWords(request, '500');
  });
});

describe('a logarithmic axis', () => {
  it.each<[string, number[], string, Request?]>([
    ['powers of ten', [1, 30, 1e6], '1 | 10 | 100 | 1,000 | 10k | 100k | 1M'],
    ['1, 2 and 5 between powers where there is room', [12, 90], '10 | 20 | 50 | 100'],
    ['even steps in a small range', [101, 128], '100 | 105 | 110 | 115 | 120 | 125 | 130'],
    [
      'different texts for different ticks',
      [361.93, 362],
      '361.93 | 361.94 | 361.95 | 361.96 | 361.97 | 361.98 | 361.99 | 362.00',
    ],
    ['a range around equal values', [80, 80], '60 | 70 | 80 | 90 | 100'],
    ['ends near the values', [7, 7000], '10 | 100 | 1,000 | 10k'],
    ['powers of ten in little room', [1, 100, 56_000], '1 | 10 | 100 | 1,000 | 10k | 100k', size(400, 300)],
  ])('has %s', (_what, values, ticks, fields = {}) => {
    expect(ticksIn(line(points(...values), { ...logarithmic, ...fields })).join(' | ')).toBe(ticks);
  });

  it('begins below the lowest value, so that its bar is visible', () => {
    const [[low, high] = []] = measuredBars(bar(points(1, 1000), logarithmic));

    expect((low?.high ?? 0) - (low?.low ?? 0)).toBeGreaterThan(20);
    expect(low?.low).toBe(high?.low);
  });

  it('has values that use most of its height, and different texts at its ticks', () => {
    const low = fc.double({ min: 1e-3, max: 1e6, noNaN: true }).map((value) => Number(value.toPrecision(6)));
    const ratio = fc.oneof(
      fc.double({ min: 1e-5, max: 1, noNaN: true }),
      fc.double({ min: 2.001, max: 1e9, noNaN: true }),
    );
    forAny(1000, [low, ratio, fc.integer({ min: 2, max: 7 })], (from, more, count) => {
      const to = from * (1 + more);
      const scale = logScale(from, to, count, english);
      const texts = scale.ticks.map(({ text }) => text);

      expect(shareAt(scale, to) - shareAt(scale, from)).toBeGreaterThan(0.75);
      expect(new Set(texts).size).toBe(texts.length);
    });
  });
});
